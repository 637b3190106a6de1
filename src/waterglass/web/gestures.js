/** Wheel and pointer over the waterfall. */

const WHEEL_ZOOM = 0.0022;

/** @param {any} view @param {any} grid its `scroller`, `ruler` and `element` */
export function listenWheel(view, grid) {
  const left = () => grid.ruler.getBoundingClientRect().left;
  grid.element.addEventListener(
    'wheel',
    (/** @type {WheelEvent} */ event) => {
      if (grid.whole) return;
      const x = event.clientX - left();
      const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
      if (event.ctrlKey || event.metaKey) {
        // Over the names the browser's own zoom stays.
        if (x < 0) return;
        event.preventDefault();
        view.zoom(x, Math.exp(Math.max(-120, Math.min(event.deltaY * unit, 120)) * WHEEL_ZOOM * 2));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        view.pan((event.deltaX || event.deltaY) * unit);
      }
    },
    { passive: false },
  );
  dragRuler(view, grid, left);
}

/** The ruler is dragged to pan. @param {any} view @param {any} grid @param {() => number} left */
function dragRuler(view, grid, left) {
  let last = NaN;
  grid.ruler.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    last = event.clientX;
    grid.ruler.setPointerCapture(event.pointerId);
  });
  grid.ruler.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    if (Number.isNaN(last)) return;
    view.pan(last - event.clientX);
    last = event.clientX;
  });
  const stop = () => {
    last = NaN;
  };
  grid.ruler.addEventListener('pointerup', stop);
  grid.ruler.addEventListener('pointercancel', stop);
  grid.ruler.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => view.zoom(event.clientX - left(), 0.5));
}
