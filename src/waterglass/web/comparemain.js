/** The page of a comparison: sessions side by side, packed in the file that this script stands in. */
import { ComparePage } from '#comparepage';
import { refill } from '#el';
import { failureOf } from '#failure';
import { reportSource } from '#sourcereport';
import { failureState, loadingState } from '#states';
import { applyTheme } from '#theme';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
root.setAttribute('role', 'main');
applyTheme(null);

async function show() {
  const waiting = setTimeout(() => refill(root, loadingState('Reading the comparison\u2026')), 60);
  try {
    const packed = await reportSource().payload('');
    clearTimeout(waiting);
    new ComparePage(root, packed).start();
  } catch (error) {
    clearTimeout(waiting);
    const failure = failureOf(error);
    refill(root, failureState(failure, show, null));
    if (failure.status === -1) console.error(error);
  }
  document.documentElement.dataset.ready = '1';
}

show();
