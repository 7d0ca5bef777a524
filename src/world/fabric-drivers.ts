/** What holds the yarns of a fabric to each other, beside what holds or moves their crossings (`drivers.ts`). */
import type { Fabric } from '../fabric/index.ts';
import { isActive, type Span } from '../model/index.ts';
import type { Driver } from './drivers.ts';

/** Keeps the yarns of nodes from sliding there, as a clip does. */
export function createGrip(fabric: Fabric, nodes: readonly number[], span: Span = {}): Driver {
  const grip = (time: number): void => {
    if (isActive(span, time)) for (const i of nodes) fabric.gripNode(i);
  };
  // the first assignment of nodes already knows what is held
  grip(0);
  return { isInternal: true, prepare: grip, aim() {} };
}
