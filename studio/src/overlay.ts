/**
 * What is written into the picture: title and time in the upper left corner, a key of the spheres, checks and arrows in the
 * lower left, and the colour map with its range and unit in the lower right; above them the material of a rod as a bar.
 */
import type { CurveFrame } from 'heddle/model';
import { FORCE_COLOURS } from './arrows.ts';
import { computeColour } from './colour-map.ts';
import { type BarField, drawReferenceBar } from './reference-bar.ts';
import type { ColourMode } from './scene.ts';

export const NODE_COLOURS = {
  eulerian: '#e32222',
  lagrangian: '#2359e6',
  eil: '#f5c518',
  crossing: '#ffffff',
  crossingEil: '#d81e2c',
  crossingMixed: '#f08fb4',
  marker: '#fff8e8',
} as const;

/** What the kinds of nodes are called in the key; a crossing of yarns is two nodes. */
export const NODE_NAMES = {
  eulerian: 'E-node',
  lagrangian: 'L-node',
  eil: 'EIL node',
  crossing: 'crossing',
  crossingEil: 'EIL crossing',
  crossingMixed: 'EoL–EIL crossing',
} as const;

/** Units of the colour maps. */
export const UNITS: Readonly<Record<ColourMode, string>> = {
  checker: '',
  speed: 'm/s',
  tension: 'N',
  strain: '%',
  curvature: '1/m',
  twist: 'rad/m',
  stress: 'Pa',
  load: 'N',
  slip: 'm/s',
  pressure: 'Pa',
};

export interface OverlayContent {
  readonly title: string;
  readonly time: number;
  readonly colour: ColourMode;
  readonly range: readonly [number, number];
  /** Material length of a check [m], 0 where nothing has checks. */
  readonly check: number;
  /** The two colours of the checks. */
  readonly checkColours: readonly [string, string];
  /** Material length between markers [m], 0 for none. */
  readonly markers: number;
  /** Kinds of nodes in the picture. */
  readonly nodes: readonly (keyof typeof NODE_NAMES)[];
  /** Materials of particles in the picture, while they have the colours of those. */
  readonly groups: readonly { readonly name: string; readonly colour: string }[];
  /** Whether mesh lines are drawn. */
  readonly lines: boolean;
  /** The arrow of the key, while forces are drawn: its force [N], 0 as long as there was none, and its length in the picture. */
  readonly forces: { readonly newtons: number; readonly pixels: number } | undefined;
  /** The rod whose material is drawn as a bar, and what its colours show. */
  readonly bar?: { readonly curve: CurveFrame; readonly field: BarField } | undefined;
  /** True on a dark background. */
  readonly dark: boolean;
}

/** A length with the unit that suits it. */
export function formatLength(metres: number): string {
  if (metres >= 1) return `${Number(metres.toPrecision(3))} m`;
  return metres >= 0.01
    ? `${Number((100 * metres).toPrecision(3))} cm`
    : `${Number((1000 * metres).toPrecision(3))} mm`;
}

/** A value to three digits. */
export function formatValue(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(1);
  return `${Number(value.toPrecision(3))}`;
}

/** A force with the unit that suits it. */
export function formatForce(newtons: number): string {
  if (newtons >= 1000) return `${Number((newtons / 1000).toPrecision(3))} kN`;
  return newtons >= 0.01 ? `${Number(newtons.toPrecision(3))} N` : `${Number((1000 * newtons).toPrecision(3))} mN`;
}

type Context = CanvasRenderingContext2D;

function drawKey(context: Context, content: OverlayContent, height: number, ink: string): void {
  let x = 24;
  const y = height - 26;
  const entry = (text: string, draw: () => number) => {
    const width = draw();
    context.fillStyle = ink;
    context.fillText(text, x + width + 7, y);
    x += width + 7 + context.measureText(text).width + 22;
  };
  const ball = (colour: string, radius: number) => () => {
    context.beginPath();
    context.arc(x + 6, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = 'rgba(20, 20, 30, 0.45)';
    context.lineWidth = 0.8;
    context.stroke();
    return 12;
  };
  for (const kind of content.nodes) entry(NODE_NAMES[kind], ball(NODE_COLOURS[kind], 5.5));
  for (const { name, colour } of content.groups) entry(name, ball(colour, 5.5));
  if (content.markers > 0) entry(`every ${formatLength(content.markers)} of material`, ball(NODE_COLOURS.marker, 3.8));
  if (content.colour === 'checker' && content.check > 0) {
    entry(`check ${formatLength(content.check)}`, () => {
      for (let i = 0; i < 3; i++) {
        context.fillStyle = content.checkColours[i % 2];
        context.fillRect(x + 9 * i, y - 4.5, 9, 9);
      }
      return 27;
    });
  }
  if (content.lines) {
    entry('element', () => {
      context.fillStyle = '#6b6475';
      context.fillRect(x, y - 3.5, 26, 7);
      for (const at of [0, 12, 24]) {
        context.fillStyle = '#ffffff';
        context.fillRect(x + at, y - 3.5, 2, 7);
      }
      return 26;
    });
  }
  if (content.forces === undefined) return;
  const arrow = (colour: string, length: number) => () => {
    drawArrow(context, x, y, length, colour);
    return length;
  };
  entry('contact force', arrow(FORCE_COLOURS.contact, 22));
  entry('constraint force', arrow(FORCE_COLOURS.constraint, 22));
  const { newtons, pixels } = content.forces;
  if (newtons > 0) entry(`= ${formatForce(newtons)}`, arrow(ink, pixels));
}

/** An arrow to the right, its head as in the picture. */
function drawArrow(context: Context, x: number, y: number, length: number, colour: string): void {
  const head = Math.min(9, 0.6 * length);
  context.fillStyle = colour;
  context.fillRect(x, y - 1.25, length - head, 2.5);
  context.beginPath();
  context.moveTo(x + length, y);
  context.lineTo(x + length - head, y - 0.5 * head);
  context.lineTo(x + length - head, y + 0.5 * head);
  context.fill();
}

function drawLegend(context: Context, content: OverlayContent, width: number, height: number, ink: string): void {
  const scale = content.colour === 'strain' ? 100 : 1;
  const [low, high] = content.range;
  const length = Math.min(260, 0.3 * width);
  const left = width - length - 28;
  const top = height - 46;
  for (let i = 0; i < length; i++) {
    context.fillStyle = `rgb(${computeColour((i + 0.5) / length).join(' ')})`;
    context.fillRect(left + i, top, 1.5, 11);
  }
  context.fillStyle = ink;
  const ticks = [0, 0.5, 1];
  for (const t of ticks) {
    context.textAlign = t === 0 ? 'left' : t === 1 ? 'right' : 'center';
    context.fillText(formatValue(scale * (low + t * (high - low))), left + t * length, top + 23);
    context.fillRect(left + t * (length - 1), top + 11, 1, 3);
  }
  context.textAlign = 'left';
  context.fillText(`${content.colour} [${UNITS[content.colour]}]`, left, top - 11);
}

/** Draws the writing on a context whose unit is one CSS pixel. */
export function drawOverlay(context: Context, content: OverlayContent, width: number, height: number): void {
  const ink = content.dark ? 'rgba(240, 243, 248, 0.92)' : 'rgba(28, 32, 40, 0.88)';
  const family = '"Inter", "Noto Sans", "Liberation Sans", "DejaVu Sans", system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = ink;
  context.font = `600 16px ${family}`;
  context.fillText(content.title, 24, 30);
  context.font = `13px ${family}`;
  context.fillText(`t = ${content.time.toFixed(3)} s`, 24, 52);
  drawKey(context, content, height, ink);
  if (content.colour !== 'checker') drawLegend(context, content, width, height, ink);
  if (content.bar === undefined) return;
  const place = { left: 24, top: height - 100, width: width - 48, height: 22 };
  drawReferenceBar(context, content.bar.curve, place, content.bar.field, ink);
}
