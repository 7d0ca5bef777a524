/** The registry of laws, in the order of the report. */

import type { Law } from './law.ts';
import { STRAND_CATENARY } from './strand-catenary.ts';
import { STRAND_ATWOOD, STRAND_CAPSTAN, STRAND_CORNER, STRAND_PULLEY } from './strand-machine.ts';
import { STRAND_FALL, STRAND_PENDULUM } from './strand-motion.ts';
import { STRAND_EDGE, STRAND_ENERGY, STRAND_REMESH_LENGTH, STRAND_REMESH_MOMENTUM } from './strand-remesh.ts';
import { STRAND_RING } from './strand-ring.ts';
import { STRAND_RUNNING, STRAND_WAVE } from './strand-string.ts';

export const LAWS: readonly Law[] = [
  STRAND_FALL,
  STRAND_PENDULUM,
  STRAND_CATENARY,
  STRAND_WAVE,
  STRAND_RUNNING,
  STRAND_RING,
  STRAND_ATWOOD,
  STRAND_PULLEY,
  STRAND_CAPSTAN,
  STRAND_CORNER,
  STRAND_REMESH_MOMENTUM,
  STRAND_REMESH_LENGTH,
  STRAND_ENERGY,
  STRAND_EDGE,
];
