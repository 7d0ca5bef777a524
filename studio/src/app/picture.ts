/** The picture of what is shown: one view, or two that are compared, where they stand on the page. */
import type { HeddleViewport } from './viewport.ts';

/** The views as they are drawn now, each with its title, time, key and caption; undefined before there is something to see. */
export function composePicture(viewports: Iterable<HeddleViewport>): HTMLCanvasElement | undefined {
  const views = Array.from(viewports, (viewport) => {
    const { left, top, right, bottom } = viewport.getBoundingClientRect();
    return { picture: viewport.capture(), caption: viewport.caption, left, top, right, bottom };
  });
  if (views.length === 0 || views.some(({ picture }) => picture === undefined)) return undefined;
  const left = Math.min(...views.map((view) => view.left));
  const top = Math.min(...views.map((view) => view.top));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(Math.max(...views.map(({ right }) => right)) - left);
  canvas.height = Math.round(Math.max(...views.map(({ bottom }) => bottom)) - top);
  const context = canvas.getContext('2d')!;
  // the line between views
  context.fillStyle = '#b9bdc6';
  context.fillRect(0, 0, canvas.width, canvas.height);
  views.forEach((view, n) => {
    const isOver = n > 0 && view.left === views[0].left && view.top === views[0].top;
    const [x, y] = [Math.round(view.left - left), Math.round(view.top - top)];
    context.save();
    if (isOver) {
      // as the page's style shows a view over another
      context.globalAlpha = 0.5;
      context.filter = 'hue-rotate(110deg)';
    }
    context.drawImage(view.picture!, x, y);
    context.restore();
    writeCaption(context, view.caption, x, y + (isOver ? 20 : 0));
  });
  return canvas;
}

/** Below title and time. */
function writeCaption(context: CanvasRenderingContext2D, caption: string, x: number, y: number): void {
  context.font = '600 13px "Inter", "Noto Sans", "Liberation Sans", "DejaVu Sans", system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = '#e07800';
  context.fillText(caption, x + 24, y + 74);
}
