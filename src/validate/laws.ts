/** The registry of laws, in the order of the report. */

import { BODIES_MOMENTUM, BODIES_PENDULUM, BODIES_TUMBLE } from './bodies.ts';
import { FABRIC_EIL, FABRIC_FRICTION, FABRIC_LOAD, FABRIC_PASSING, FABRIC_STRETCH_ENERGY } from './fabric-crossing.ts';
import { FABRIC_FALL, FABRIC_SYMMETRY } from './fabric-drape.ts';
import { FABRIC_BENDING, FABRIC_EXCHANGE, FABRIC_SHEAR, FABRIC_STRETCH } from './fabric-swatch.ts';
import type { Law } from './law.ts';
import { MPM_CLOTH, MPM_HAIR, MPM_SLIP, MPM_TURN, MPM_YIELD } from './mpm-elements.ts';
import { MPM_AFFINE, MPM_FALL, MPM_MOMENTUM, MPM_REPOSE, MPM_RING, MPM_SLIDE, MPM_SLOPE } from './mpm-motion.ts';
import { MPM_BULK, MPM_CLOTH_BENDING, MPM_FLUID, MPM_HAIR_BENDING } from './mpm-stiffness.ts';
import { ROD_ADAPTIVE, ROD_EQUIDISTRIBUTION } from './rod-adaptive.ts';
import { ROD_EULER, ROD_LATERAL, ROD_MICHELL } from './rod-buckling.ts';
import { ROD_CANTILEVER, ROD_SHEAR, ROD_TIP_LOAD } from './rod-cantilever.ts';
import { ROD_BEND_TWIST } from './rod-curl.ts';
import { ROD_ANGULAR, ROD_ENERGY, ROD_LENGTH, ROD_MOMENTUM } from './rod-free.ts';
import { ROD_CAPSTAN, ROD_SLIDE, ROD_SLOPE } from './rod-friction.ts';
import { ROD_KNOT } from './rod-knot.ts';
import { ROD_STICK_SLIP } from './rod-stick-slip.ts';
import { ROD_SPRING, ROD_TORQUE } from './rod-twist.ts';
import { ROD_BENDING_WAVES, ROD_STRETCH_WAVES, ROD_TWIST_WAVES } from './rod-vibration.ts';
import { ROD_WHIP } from './rod-whip.ts';
import { SHEET_LATERAL } from './sheet-buckling.ts';
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
import { SHEET_SAG, SHEET_TWIST } from './sheet-plate.ts';
import { SHEET_STRETCH } from './sheet-stretch.ts';
import { SHEET_TRANSFER } from './sheet-transfer.ts';
import { SHEET_BENDING_WAVES, SHEET_STRETCH_WAVES, SHEET_TENSION_WAVES } from './sheet-waves.ts';
import { STRAND_CATENARY } from './strand-catenary.ts';
import { STRAND_ATWOOD, STRAND_CAPSTAN, STRAND_CORNER, STRAND_PULLEY } from './strand-machine.ts';
import { STRAND_FALL, STRAND_PENDULUM } from './strand-motion.ts';
import { STRAND_EDGE, STRAND_ENERGY, STRAND_REMESH_LENGTH, STRAND_REMESH_MOMENTUM } from './strand-remesh.ts';
import { STRAND_RING } from './strand-ring.ts';
import { STRAND_STIFF_EDGE } from './strand-stiff-edge.ts';
import { STRAND_BENDING, STRAND_RUNNING, STRAND_WAVE } from './strand-string.ts';

export const LAWS: readonly Law[] = [
  STRAND_FALL,
  STRAND_PENDULUM,
  STRAND_CATENARY,
  STRAND_WAVE,
  STRAND_BENDING,
  STRAND_RUNNING,
  STRAND_RING,
  STRAND_ATWOOD,
  STRAND_PULLEY,
  STRAND_CAPSTAN,
  STRAND_CORNER,
  STRAND_STIFF_EDGE,
  STRAND_REMESH_MOMENTUM,
  STRAND_REMESH_LENGTH,
  STRAND_ENERGY,
  STRAND_EDGE,
  ROD_CANTILEVER,
  ROD_TIP_LOAD,
  ROD_SHEAR,
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
  ROD_EQUIDISTRIBUTION,
  ROD_ADAPTIVE,
  ROD_WHIP,
  ROD_KNOT,
  SHEET_FALL,
  SHEET_STRETCH,
  SHEET_CANTILEVER,
  SHEET_SAG,
  SHEET_TWIST,
  SHEET_LATERAL,
  SHEET_STRETCH_WAVES,
  SHEET_TENSION_WAVES,
  SHEET_BENDING_WAVES,
  SHEET_EDGE,
  SHEET_SLOPE,
  SHEET_SLIDE,
  SHEET_SYMMETRY,
  SHEET_AREA,
  SHEET_MOMENTUM,
  SHEET_TRANSFER,
  FABRIC_FALL,
  FABRIC_STRETCH,
  FABRIC_BENDING,
  FABRIC_SHEAR,
  FABRIC_EXCHANGE,
  FABRIC_LOAD,
  FABRIC_FRICTION,
  FABRIC_EIL,
  FABRIC_PASSING,
  FABRIC_STRETCH_ENERGY,
  FABRIC_SYMMETRY,
  MPM_FALL,
  MPM_HAIR,
  MPM_HAIR_BENDING,
  MPM_CLOTH,
  MPM_CLOTH_BENDING,
  MPM_BULK,
  MPM_FLUID,
  MPM_RING,
  MPM_TURN,
  MPM_YIELD,
  MPM_SLIP,
  MPM_SLOPE,
  MPM_SLIDE,
  MPM_REPOSE,
  MPM_MOMENTUM,
  MPM_AFFINE,
  BODIES_PENDULUM,
  BODIES_TUMBLE,
  BODIES_MOMENTUM,
];
