/**
 * Which sides of nodes are EoL and which EIL, yarn by yarn, before every step.                        [Sánchez-Banderas 2020, §4.1]
 *
 *   Sides are sorted by their material coordinate. Along the yarn a side nearer than d = 0.1 L to the last EoL side becomes EIL; one whose material is
 *   fixed (an end, a stitch) stays EoL, and the EoL sides that are too near before it become EIL instead. Beyond the paper so do contacts with other layers before a crossing of
 *   the cloth itself: where yarns of two layers lie on one another four of them meet in one place, tied in a ring, and a contact between layers, which is soft as an EIL
 *   node (`eil-contacts.ts`), is to be the one that gives.
 *
 * A node on the edge of a body stays EoL before both: there the yarn is redirected, and without it a crossing that comes near the edge bears what hangs below it on the face, as a hook,
 * and nothing draws what lies behind it.
 *
 *   Also beyond the paper, a side that nears a fixed one is EIL as soon as a step with the present velocities would bring it nearer than d: between the two there would be next to no
 *   material, whose strain Newton's iterations hop over, and a crossing that runs off the end of a yarn would be held by it.
 *
 * Sides that were in order stay in it (insertion sort), so that those at the same place keep theirs. EIL nodes carry no mass: what they are is found by
 * their neighbours `before` and `after`.
 */
import { ROLE_CROSSING, ROLE_EDGE, ROLE_POINT, ROLE_STITCH } from './net.ts';
import { type FabricState, ROLE_FREE } from './state.ts';

/** Lists the sides of all nodes by yarn: those that have just come go to the end of theirs. */
export function groupSides(state: FabricState): void {
  const { yarn, role, sideStart, sides, yarnCount, count } = state;
  const old = sides.slice(0, sideStart[yarnCount]);
  const isListed = new Uint8Array(2 * count);
  const isThere = (s: number): boolean => role[s >> 1] !== ROLE_FREE && yarn[s] >= 0;
  state.isListed.fill(0);
  sideStart.fill(0);
  for (let s = 0; s < 2 * count; s++) if (isThere(s)) sideStart[yarn[s] + 1]++;
  for (let y = 0; y < yarnCount; y++) sideStart[y + 1] += sideStart[y];
  const next = sideStart.slice(0, yarnCount);
  for (const s of old)
    if (isThere(s) && !isListed[s]) {
      isListed[s] = 1;
      sides[next[yarn[s]]++] = s;
    }
  for (let s = 0; s < 2 * count; s++) if (isThere(s) && !isListed[s]) sides[next[yarn[s]]++] = s;
}

/** Sorts the sides of each yarn; returns how many pairs have passed each other. */
export function sortSides({ q, sideStart, sides, yarnCount }: FabricState): number {
  let passed = 0;
  for (let y = 0; y < yarnCount; y++) {
    const first = sideStart[y];
    const end = sideStart[y + 1];
    for (let k = first + 1; k < end; k++) {
      const s = sides[k];
      const u = q[5 * (s >> 1) + 3 + (s & 1)];
      let at = k;
      for (; at > first; at--) {
        const other = sides[at - 1];
        if (q[5 * (other >> 1) + 3 + (other & 1)] <= u) break;
        sides[at] = other;
      }
      sides[at] = s;
      passed += k - at;
    }
  }
  return passed;
}

/** Ranks of sides: of two that are too near the lower one becomes EIL, of the same rank the later. */
const FIXED = 3;
const EDGE = 2;
const OWN = 1;

function rankOf({ role }: FabricState, s: number): number {
  const own = role[s >> 1];
  if (own === ROLE_POINT || own === ROLE_STITCH) return FIXED;
  return own === ROLE_EDGE ? EDGE : own === ROLE_CROSSING ? OWN : 0;
}

/** Material velocity of a side. */
const rateOf = ({ v }: FabricState, s: number): number => v[5 * (s >> 1) + 3 + (s & 1)];

/** Says which sides are EoL, lists them, and finds the neighbours of all; true where anything changed since the last time. `h`: the step that is foreseen. */
export function assignNodes(state: FabricState, h = 0): boolean {
  const { q, sideStart, sides, eolStart, eol, yarnCount } = state;
  let isChanged = false;
  let count = 0;
  for (let y = 0; y < yarnCount; y++) {
    const safety = state.safetyOf(y);
    const first = count;
    for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
      const s = sides[k];
      const u = q[5 * (s >> 1) + 3 + (s & 1)];
      const rank = rankOf(state, s);
      let isNear = false;
      for (; count > first; count--) {
        const last = eol[count - 1];
        isNear = u - q[5 * (last >> 1) + 3 + (last & 1)] < safety;
        if (!isNear && h > 0 && (rank === FIXED || rankOf(state, last) === FIXED))
          isNear = u + h * rateOf(state, s) - q[5 * (last >> 1) + 3 + (last & 1)] - h * rateOf(state, last) < safety;
        if (!isNear || rankOf(state, last) >= rank) break;
      }
      if (isNear && count > first && rank < FIXED) continue;
      eol[count++] = s;
    }
    if (eolStart[y + 1] !== count) {
      eolStart[y + 1] = count;
      isChanged = true;
    }
    isChanged = linkSides(state, y, first, count) || isChanged;
  }
  return isChanged;
}

/** Lists the EoL sides by their marks and finds the neighbours of all: where the state is one that was kept, whose places have moved on since nodes were assigned. */
export function relinkNodes(state: FabricState): void {
  const { sideStart, sides, eolStart, eol, eil, yarnCount } = state;
  let count = 0;
  for (let y = 0; y < yarnCount; y++) {
    const first = count;
    for (let k = sideStart[y]; k < sideStart[y + 1]; k++) if (!eil[sides[k]]) eol[count++] = sides[k];
    eolStart[y + 1] = count;
    linkSides(state, y, first, count);
  }
}

/** Marks the sides of yarn y and finds their neighbours among its EoL sides eol[from … to); true where anything changed. */
function linkSides(state: FabricState, y: number, from: number, to: number): boolean {
  const { sideStart, sides, eol, eil, before, after } = state;
  let isOther = false;
  let at = from;
  for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
    const s = sides[k];
    const isEol = at < to && eol[at] === s;
    const previous = at > from ? eol[at - 1] : -1;
    if (isEol) at++;
    const next = at < to ? eol[at] : -1;
    const mark = isEol ? 0 : 1;
    if (eil[s] !== mark || before[s] !== previous || after[s] !== next) isOther = true;
    eil[s] = mark;
    before[s] = previous;
    after[s] = next;
  }
  return isOther;
}
