/**
 * E-nodes at edges come and go. All of it happens between two steps:
 *   insert    a segment went through an edge: an E-node on the segment, where the edge will be met. The velocity field stays.
 *   release   the edge would have to pull, or the node ran off the edge's end: it becomes an L-node where it is, with the
 *             velocities that fit the old field best and the same momentum; once the straight line between its neighbours
 *             is clear of all bodies, that node is taken out.
 *   slip off  the strand's free end comes up to the edge and goes over it (`slip-out.ts`).
 */
import { CANCEL_POSITION, CANCEL_U, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { CLEAR, fillBetween, type RemeshRoom, refitVelocities, takeOutNode } from './adapt.ts';
import { createEdgeGuide, type EdgeSite, type Guide } from './guides.ts';
import { dropGuide, findEnd, passEnd } from './slip-out.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';
import { isNeededAtRound, refineAtRounds } from './touch-round.ts';
import type { EdgeRequest } from './touch-search.ts';
import { stickTogether } from './touch-stick.ts';

/** Two E-nodes nearer than this that still approach become one; no E-node is put nearer to another node. Relative to the spacing. */
const CLOSE = 1e-3;
/** Two E-nodes that leave a corner over two of its edges start at least this far apart, relative to the spacing. */
const CORNER = 1e-6;
/** Nodes on either side of an E-node that stand still after a rescue. */
const CALMED = 2;

/** Changes the E-nodes at edges as the last step, and the try before this one, ask for. */
export function adaptTouch(state: StrandState, touch: StrandTouch, room: RemeshRoom): void {
  for (const guide of state.guides)
    if (guide.site.type === 'edge' && !isAskedFor(state, touch, guide) && shouldLeave(state, touch, guide, guide.site))
      releaseEdge(state, room, guide);
  for (const guide of state.guides) if (guide.site.type === 'edge') slipOff(state, room, guide);
  takeOutFree(state, touch, room);
  refineAtRounds(state, touch);
  touch.search.beginMeeting();
  for (const request of touch.search.edges) {
    const before = state.guides;
    if (!insertEdge(state, touch, request)) touch.fallbacks++;
    for (const guide of state.guides) if (!before.includes(guide)) touch.search.meet(request, guide.label);
  }
}

/**
 * Where no step is short enough: all E-nodes at edges become L-nodes where they are, and the strand around them stands still
 * for a moment; on a body that forces move it sticks to that instead, which keeps their momentum (`touch-stick.ts`). Energy is
 * only lost; the edges are found again. False when there is no such node.
 */
export function rescueTouch(state: StrandState, touch: StrandTouch, room: RemeshRoom): boolean {
  const edges = state.guides.filter(({ site }) => site.type === 'edge');
  if (edges.length === 0) return false;
  const { v, count } = state.chain;
  for (const guide of edges) {
    const i = state.indexOf(guide.label);
    releaseEdge(state, room, guide);
    if (guide.site.type !== 'edge' || touch.isDynamic(guide.site.body)) continue;
    for (let k = 4 * Math.max(0, i - CALMED); k < 4 * Math.min(count, i + CALMED + 1); k++) v[k] = 0;
  }
  for (let b = 0; b < touch.bodies.length; b++) {
    if (!touch.isDynamic(b)) continue;
    const places = edges
      .filter(({ site }) => site.type === 'edge' && site.body === b)
      .map(({ label }) => state.indexOf(label));
    if (places.length === 0) continue;
    stickTogether(
      state,
      [touch.bodies[b]],
      (label, i) => places.some((place) => Math.abs(place - i) <= CALMED) && isLoose(state, label, i),
    );
  }
  touch.fallbacks++;
  return true;
}

/** The last resort: the whole strand stands still, or sticks to the bodies it touches that forces move. */
export function freezeTouch(state: StrandState, touch: StrandTouch): void {
  const bodies = touch.bodies.filter((_, b) => touch.isDynamic(b) && touch.near[b] !== 0);
  if (bodies.length === 0) state.chain.v.fill(0);
  else stickTogether(state, bodies, (label, i) => isLoose(state, label, i));
  touch.fallbacks++;
}

/** Whether nothing but edges of bodies holds node i. */
function isLoose(state: StrandState, label: number, i: number): boolean {
  if (state.chain.kind[i] === NODE_LAGRANGIAN) return state.heldAxes[label] === 0;
  return state.guides.some((guide) => guide.label === label && guide.site.type === 'edge');
}

/** Whether a request of this step names the guide's own edge near its node. */
function isAskedFor(state: StrandState, touch: StrandTouch, { label, site }: Guide): boolean {
  if (site.type !== 'edge') return false;
  const u = state.chain.q[4 * state.indexOf(label) + 3];
  return touch.search.edges.some(
    ({ body, edge, u: asked }) =>
      body === site.body && edge === site.edge && Math.abs(asked - u) < state.spacing[label],
  );
}

function shouldLeave(state: StrandState, touch: StrandTouch, { label }: Guide, { body, edge }: EdgeSite): boolean {
  if (state.pulls[label]) return true;
  const { chain } = state;
  const i = state.indexOf(label);
  // the node after it is an E-node too, and they are about to meet
  if (i + 1 < chain.count && chain.kind[i + 1] === NODE_EULERIAN) {
    const gap = chain.q[4 * i + 7] - chain.q[4 * i + 3];
    if (gap < CLOSE * state.spacing[label] && chain.v[4 * i + 7] < chain.v[4 * i + 3]) return true;
  }
  return touch.isOffEdge(chain.q, 4 * i, body, edge);
}

/** Makes the E-node of a guide an L-node where it is. */
function releaseEdge(state: StrandState, room: RemeshRoom, guide: Guide): void {
  const { chain } = state;
  const { label } = guide;
  const i = state.indexOf(label);
  state.beginChange();
  refitVelocities(state, room, i, () => {
    chain.kind[i] = NODE_LAGRANGIAN;
    chain.cancelled[i] = CANCEL_U;
    chain.v[4 * i + 3] = 0;
    chain.target[4 * i + 3] = 0;
    state.heldAxes[label] = 0;
    dropGuide(state, guide);
  });
}

/** Lets the strand's free end go over the edge when it has come near. */
function slipOff(state: StrandState, room: RemeshRoom, guide: Guide): void {
  const end = findEnd(state, guide);
  // a body that it lies on does not hold it back
  if (end >= 0 && state.heldAxes[state.chain.label[end]] === 0) passEnd(state, room, guide, end);
}

/** Takes out the L-nodes that released E-nodes left behind, where nothing is in the way. */
function takeOutFree(state: StrandState, touch: StrandTouch, room: RemeshRoom): void {
  const { chain } = state;
  for (let i = chain.count - 2; i > 0; i--) {
    const label = chain.label[i];
    if (label < state.materialCount || chain.kind[i] !== NODE_LAGRANGIAN || touch.isTouching(label)) continue;
    if (isNeededAtRound(state, touch, i)) continue;
    if (touch.computeChordDepth(state, i - 1, i + 1) > CLEAR * state.spacing[label]) continue;
    if (state.isClear?.(i) === false) continue;
    takeOutNode(state, i, room);
  }
}

/**
 * Puts an E-node on the segment at the material coordinate asked for. An L-node in its way gives it its place; an E-node of
 * the same body in its way, where edges meet in a corner, goes over to the new edge, or gets a second one beside it where the
 * strand goes over both. False when there is no room.
 */
function insertEdge(state: StrandState, touch: StrandTouch, request: EdgeRequest): boolean {
  const { body, edge } = request;
  const { chain } = state;
  if (state.guides.some((guide) => isSameEdge(guide, request) && isNear(state, guide, request.u))) return true;
  const e = state.findSegment(request.u);
  const spacing = state.spacing[chain.label[e]];
  const close = CLOSE * spacing;
  let apart = close;
  const site: EdgeSite = { type: 'edge', body, edge };
  for (const i of [e + 1, e]) {
    if (Math.abs(chain.q[4 * i + 3] - request.u) >= close) continue;
    const there = state.guides.find((guide) => guide.label === chain.label[i]);
    if (there?.site.type === 'edge' && there.site.body === body) {
      // both edges of a corner were asked for: it leaves the corner over both
      if (touch.isDynamic(body) && touch.search.isMet(there.label)) {
        apart = Math.min(close, Math.max(CORNER * spacing, request.way));
        break;
      }
      const moved = createEdgeGuide(there.label, site, there.friction);
      state.beginChange();
      state.guides = state.guides.map((guide) => (guide === there ? moved : guide));
      state.pulls[there.label] = 0;
      return true;
    }
    if (chain.kind[i] !== NODE_LAGRANGIAN || chain.kept[i]) continue;
    state.beginChange();
    becomeEulerian(state, i);
    beginEdge(state, touch, i, site, spacing);
    return true;
  }
  const [ua, ub] = [chain.q[4 * e + 3], chain.q[4 * e + 7]];
  if (ub - ua < 3 * apart) return false;
  state.beginChange();
  state.insertNode(e + 1);
  chain.q[4 * e + 7] = Math.min(ub - apart, Math.max(ua + apart, request.u));
  fillBetween(chain, e + 1);
  beginEdge(state, touch, e + 1, site, spacing);
  return true;
}

/** Puts an E-node in the place of the L-node i, with its velocity: a material node waits disabled, one of a contact turns. */
function becomeEulerian(state: StrandState, i: number): void {
  const { chain } = state;
  if (chain.label[i] >= state.materialCount) return;
  const [q, v] = [chain.q.slice(4 * i, 4 * i + 4), chain.v.slice(4 * i, 4 * i + 4)];
  state.disableNode(i);
  state.insertNode(i);
  for (let k = 0; k < 4; k++) {
    chain.q[4 * i + k] = q[k];
    chain.v[4 * i + k] = v[k];
    chain.target[4 * i + k] = 0;
  }
  chain.kept[i] = chain.pointMass[i] = 0;
}

/** Lets an edge hold node i. */
function beginEdge(state: StrandState, touch: StrandTouch, i: number, site: EdgeSite, spacing: number): void {
  const { chain } = state;
  const label = chain.label[i];
  chain.kind[i] = NODE_EULERIAN;
  chain.cancelled[i] = 0;
  state.setSpacing(label, spacing);
  state.hold(label, CANCEL_POSITION);
  state.guides = [...state.guides, createEdgeGuide(label, site, touch.friction[site.body])];
}

const isSameEdge = ({ site }: Guide, { body, edge }: EdgeRequest): boolean =>
  site.type === 'edge' && site.body === body && site.edge === edge;

/** Whether a guide's node is a neighbour of the place u: the same passage over the edge. */
function isNear(state: StrandState, { label }: Guide, u: number): boolean {
  const i = state.indexOf(label);
  const e = state.findSegment(u);
  return i === e || i === e + 1;
}
