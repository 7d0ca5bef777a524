/** What holds the nodes of a rod, for arrows; forces of contacts are shown by what makes them. */
import { ForceList } from '../contact/index.ts';
import type { ForceFrame } from '../model/index.ts';
import type { RodState } from './state.ts';

export function createRodForces(id: string, { chain, reaction, count }: RodState): ForceFrame[] {
  const list = new ForceList();
  for (let i = 0; i < count; i++) list.add(chain.q, 4 * i, reaction, 4 * i, 1);
  return list.finish('constraint', id);
}
