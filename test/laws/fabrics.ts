/** Nets and worlds that the laws of fabrics share with the registry of laws. */
export {
  computeFabricMomentum as computeMomentum,
  createFabric,
  createFabricWorld,
  createPlainNet,
  createYarnNet as createNet,
  FABRIC_LAYER as LAYER,
  FABRIC_SPACING as SPACING,
  FABRIC_YARN as YARN,
  holdNodes as hold,
  type NetNode,
} from 'heddle/validate';
