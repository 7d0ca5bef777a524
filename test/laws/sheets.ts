/** What the laws of sheets share with the registry of laws. */
export {
  createCloth,
  createRectangle,
  createSheet,
  findVertices,
  MESH_KINDS,
  type MeshKind,
  measureStrains,
  type PlanarMesh,
  positionOf,
} from 'heddle/validate';
