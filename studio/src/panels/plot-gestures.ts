/**
 * Zoom and pan of a chart by pointer: Ctrl + wheel zooms about the pointer, Shift + wheel or a sideways wheel and Shift +
 * drag move along. A plain wheel scrolls the page, a plain drag selects (plot-chart.ts).
 */

export interface Gestures {
  /** `share` 0…1 is where the pointer stands across the chart. */
  zoom(factor: number, share: number): void;
  /** Moves by a share of what is shown. */
  pan(share: number): void;
}

/** Where the lines are drawn, within a chart. */
const findPlot = (chart: Element): Element => chart.querySelector('.u-over') ?? chart;

export function takeWheel(event: WheelEvent, { zoom, pan }: Gestures): void {
  const box = findPlot(event.currentTarget as Element).getBoundingClientRect();
  if (event.ctrlKey || event.metaKey) zoom(1.0015 ** -event.deltaY, (event.clientX - box.left) / box.width);
  else {
    const way = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(way) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    pan(way / box.width);
  }
  event.preventDefault();
}

/** Shift + press begins to move along; the chart itself does not see it. */
export function takePress(event: MouseEvent, { pan }: Gestures): void {
  if (!event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  const { width } = findPlot(event.currentTarget as Element).getBoundingClientRect();
  let last = event.clientX;
  const move = ({ clientX }: MouseEvent) => {
    pan((last - clientX) / width);
    last = clientX;
  };
  const end = () => {
    removeEventListener('mousemove', move);
    removeEventListener('mouseup', end);
  };
  addEventListener('mousemove', move);
  addEventListener('mouseup', end);
}
