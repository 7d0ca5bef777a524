/** The picture of a spring between two places on the screen: straight ends and a zig-zag whose turns stretch with it. */
import type { Spot } from './picking.ts';

const TURNS = 9;
/** Height of the zig-zag [CSS pixels]; it flattens as the spring gets longer. */
const HEIGHT = 9;

/** Path of an SVG, from one spot to the other. */
export function computeSpringPath(from: Spot, to: Spot): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < 4) return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  const [ax, ay] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const height = Math.min(HEIGHT, (HEIGHT * 90) / Math.max(90, length), 0.3 * length);
  const place = (along: number, across: number): string =>
    `${(from.x + along * length * ax - across * ay).toFixed(1)} ${(from.y + along * length * ay + across * ax).toFixed(1)}`;
  let path = `M${place(0, 0)}L${place(0.15, 0)}`;
  for (let i = 0; i < TURNS; i++) path += `L${place(0.15 + (0.7 * (i + 0.5)) / TURNS, i % 2 === 0 ? height : -height)}`;
  return `${path}L${place(0.85, 0)}L${place(1, 0)}`;
}
