/** The registry of laws, in the order of the report. */

import type { Law } from './law.ts';
import { ROD_EULER, ROD_LATERAL, ROD_MICHELL } from './rod-buckling.ts';
import { ROD_CANTILEVER, ROD_TIP_LOAD } from './rod-cantilever.ts';
import { ROD_BEND_TWIST } from './rod-curl.ts';
import { ROD_ANGULAR, ROD_ENERGY, ROD_LENGTH, ROD_MOMENTUM } from './rod-free.ts';
import { ROD_CAPSTAN, ROD_SLIDE, ROD_SLOPE } from './rod-friction.ts';
import { ROD_STICK_SLIP } from './rod-stick-slip.ts';
import { ROD_SPRING, ROD_TORQUE } from './rod-twist.ts';
import { ROD_BENDING_WAVES, ROD_STRETCH_WAVES, ROD_TWIST_WAVES } from './rod-vibration.ts';
import { SHEET_CANTILEVER } from './sheet-cantilever.ts';
import {
  SHEET_AREA,
  SHEET_EDGE,
  SHEET_FALL,
  SHEET_MOMENTUM,
  SHEET_SLIDE,
  SHEET_SLOPE,
  SHEET_SYMMETRY,
} from './sheet-motion.ts';
import { SHEET_STRETCH } from './sheet-stretch.ts';
import { SHEET_BENDING_WAVES, SHEET_STRETCH_WAVES, SHEET_TENSION_WAVES } from './sheet-waves.ts';
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
  ROD_CANTILEVER,
  ROD_TIP_LOAD,
  ROD_EULER,
  ROD_LATERAL,
  ROD_MICHELL,
  ROD_BEND_TWIST,
  ROD_STICK_SLIP,
  ROD_TORQUE,
  ROD_SPRING,
  ROD_BENDING_WAVES,
  ROD_TWIST_WAVES,
  ROD_STRETCH_WAVES,
  ROD_SLOPE,
  ROD_SLIDE,
  ROD_CAPSTAN,
  ROD_MOMENTUM,
  ROD_ANGULAR,
  ROD_ENERGY,
  ROD_LENGTH,
  SHEET_FALL,
  SHEET_STRETCH,
  SHEET_CANTILEVER,
  SHEET_STRETCH_WAVES,
  SHEET_TENSION_WAVES,
  SHEET_BENDING_WAVES,
  SHEET_EDGE,
  SHEET_SLOPE,
  SHEET_SLIDE,
  SHEET_SYMMETRY,
  SHEET_AREA,
  SHEET_MOMENTUM,
];
