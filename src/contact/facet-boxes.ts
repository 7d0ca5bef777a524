/** Axis-aligned boxes, six numbers each: min x, y, z, max x, y, z. */

/** Boxes of edges, for a `Bvh`; three numbers a start and an end. */
export const computeEdgeBoxes = (start: Float64Array, end: Float64Array): Float64Array => {
  const boxes = new Float64Array(2 * start.length);
  for (let i = 0; i < start.length; i++) {
    const at = 6 * Math.floor(i / 3) + (i % 3);
    boxes[at] = Math.min(start[i], end[i]);
    boxes[at + 3] = Math.max(start[i], end[i]);
  }
  return boxes;
};

export const touches = (box: Float64Array, other: Float64Array): boolean =>
  box[0] <= other[3] &&
  box[3] >= other[0] &&
  box[1] <= other[4] &&
  box[4] >= other[1] &&
  box[2] <= other[5] &&
  box[5] >= other[2];
