/** The page in a report: one session, and nothing around it. */
import { runApp } from '#app';

runApp(null);
