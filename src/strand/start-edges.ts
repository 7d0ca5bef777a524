/**
 * E-nodes at the start of a strand that touches bodies: at the points on edges of the settled polyline (`start.ts`), and where
 * a straight segment between two laid-out nodes would cut off an edge. Each stands exactly on its edge. The second kind
 * divides the material of its segment as it divides the length, so both parts start with the same strain.
 */

import { createEdgeHit } from '../contact/index.ts';
import { computeLength } from '../math/index.ts';
import { CANCEL_POSITION, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { createEdgeGuide, type EdgeSite } from './guides.ts';
import { DEFAULT_REMESH, type StrandOptions } from './options.ts';
import { settleStart, writeStartVelocities } from './start.ts';
import { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';
import { layAtRounds } from './touch-round.ts';

/** No E-node starts nearer than this to a node that stays, relative to the spacing. */
const CLOSE = 1e-2;
/** E-nodes that one strand may start with beyond those of its polyline, a node. */
const MOST_EACH = 16;

/** The state of a strand settled on the bodies that it touches. */
export function createTouchingState(options: StrandOptions, touch: StrandTouch): StrandState {
  const start = settleStart(options, touch);
  const state = new StrandState(options, start);
  const scale = state.restLength / start.polyline.length;
  const x = new Float64Array(3);
  for (const { s, body, edge } of start.edges) {
    x.set(start.polyline.at(s));
    layEdge(state, options, touch, state.wrap(s * scale), x, { type: 'edge', body, edge });
  }
  bendSegments(state, options, touch);
  // the material of a loop and of what goes on on a spool has its length already
  const scales = !options.closed && (options.spools ?? []).length === 0;
  layAtRounds(state, touch, scales ? scale : 0);
  writeStartVelocities(state, options, start);
  return state;
}

/** Puts an E-node on an edge at the material coordinate u and takes ordinary nodes near it out; false where there is no room. */
function layEdge(
  state: StrandState,
  { remesh = DEFAULT_REMESH }: StrandOptions,
  touch: StrandTouch,
  u: number,
  x: Float64Array,
  site: EdgeSite,
): boolean {
  const { chain } = state;
  let e = state.findSegment(u);
  const spacing = state.spacing[chain.label[e]];
  for (const i of [e, e + 1]) {
    const isTaken = chain.kind[i] === NODE_EULERIAN || stays(state, i);
    if (isTaken && Math.abs(chain.q[4 * i + 3] - u) < CLOSE * spacing) return false;
  }
  for (const i of [e + 1, e]) {
    if (stays(state, i) || chain.kind[i] !== NODE_LAGRANGIAN) continue;
    if (Math.abs(chain.q[4 * i + 3] - u) < remesh.near * state.spacing[chain.label[i]]) state.disableNode(i);
  }
  e = state.findSegment(u);
  const label = state.insertNode(e + 1);
  for (let k = 0; k < 3; k++) chain.q[4 * (e + 1) + k] = x[k];
  chain.q[4 * (e + 1) + 3] = u;
  chain.kind[e + 1] = NODE_EULERIAN;
  chain.cancelled[e + 1] = chain.kept[e + 1] = chain.pointMass[e + 1] = 0;
  for (let k = 0; k < 4; k++) chain.target[4 * (e + 1) + k] = 0;
  state.setSpacing(label, spacing);
  state.hold(label, CANCEL_POSITION);
  state.guides = [...state.guides, createEdgeGuide(label, site, touch.friction[site.body])];
  return true;
}

/** Whether node i may not be taken out: one of the scene, or the seam of a loop. */
const stays = ({ chain }: StrandState, i: number): boolean =>
  chain.kept[i] !== 0 || (chain.closed && (i === 0 || i === chain.count - 1));

/** Puts E-nodes on the edges that segments cut off, until none does. */
function bendSegments(state: StrandState, options: StrandOptions, touch: StrandTouch): void {
  const { chain } = state;
  const most = MOST_EACH * chain.count;
  const hit = createEdgeHit();
  const skip = new Int32Array(2);
  const [a, b, x] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  for (let e = 0, laid = 0; e + 1 < chain.count && laid < most; e++)
    for (let body = 0; body < touch.facets.length; body++) {
      const facets = touch.facets[body];
      touch.start[body].writeLocal(chain.q, 4 * e, a, 0);
      touch.start[body].writeLocal(chain.q, 4 * e + 4, b, 0);
      const tolerance = touch.toleranceOf(body, state);
      if (facets.computeSegmentDepth(a, b) <= tolerance) continue;
      let skipped = 0;
      for (const { label, site } of state.guides)
        if (site.type === 'edge' && site.body === body && [e, e + 1].includes(state.indexOf(label)))
          skip[skipped++] = site.edge;
      const edge = facets.findEdge(a, b, a, b, tolerance, skip, skipped, hit);
      if (edge < 0) continue;
      for (let k = 0; k < 3; k++)
        x[k] = facets.edgeStart[3 * edge + k] * (1 - hit.along) + facets.edgeEnd[3 * edge + k] * hit.along;
      const [before, after] = [computeLength(x.map((v, k) => v - a[k])), computeLength(x.map((v, k) => v - b[k]))];
      const u = (chain.q[4 * e + 3] * after + chain.q[4 * e + 7] * before) / (before + after);
      touch.start[body].writeWorld(x, 0, x, 0);
      if (!layEdge(state, options, touch, u, x, { type: 'edge', body, edge })) continue;
      laid++;
      // ordinary nodes near it are gone: begin again one segment earlier
      e = Math.max(-1, e - 2);
      break;
    }
}
