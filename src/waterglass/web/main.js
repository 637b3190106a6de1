/** The page on the server: the sessions, search, statistics, and each session. */
import { runApp } from '#app';
import { FindPage } from '#find';
import { StartPage } from '#startpage';
import { StatsPage } from '#stats';

runApp((root, source, place, go) => {
  if (place.now.page === 'find') return new FindPage(root, source, place, go);
  if (place.now.page === 'stats') return new StatsPage(root, source, place, go);
  return new StartPage(root, source, place, go);
});
