/** What is behind the scene. */
import { BufferAttribute, BufferGeometry, Color, LinearSRGBColorSpace, Mesh, type Scene, ShaderMaterial } from 'three';

/** Colours of the gradient, and where they are from the top of the picture down. */
const STOPS = [
  [0, '#f6f7f9'],
  [0.55, '#eceef1'],
  [1, '#dcdfe4'],
] as const;

/** Sets a plain colour behind a scene, or by default a pale gradient. Returns what frees it. */
export function addBackground(scene: Scene, colour: string | undefined): () => void {
  if (colour !== undefined) {
    scene.background = new Color(colour);
    return () => {};
  }
  const gradient = createGradient();
  scene.add(gradient);
  return () => {
    scene.remove(gradient);
    gradient.geometry.dispose();
    gradient.material.dispose();
  };
}

/**
 * Strips over the whole picture, drawn first. They have the colours of the screen at their corners: a texture would be looked into at every pixel and
 * its colours changed to linear ones and back, which costs a processor that stands in for a graphics card most of the time of a simple picture.
 */
function createGradient(): Mesh<BufferGeometry, ShaderMaterial> {
  const corners = STOPS.flatMap(([at]) => [-1, 1].flatMap((side) => [side, 1 - 2 * at, 1]));
  const colours = STOPS.flatMap(([, colour]) => {
    const { r, g, b } = new Color().setStyle(colour, LinearSRGBColorSpace);
    return [r, g, b, r, g, b];
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  geometry.setAttribute('paint', new BufferAttribute(new Float32Array(colours), 3));
  // each strip: upper left, lower left, lower right, upper right
  geometry.setIndex(STOPS.slice(1).flatMap((_, i) => [0, 2, 3, 0, 3, 1].map((corner) => 2 * i + corner)));
  const material = new ShaderMaterial({
    vertexShader:
      'attribute vec3 paint; varying vec3 vColour; void main() { vColour = paint; gl_Position = vec4(position, 1.0); }',
    fragmentShader: 'varying vec3 vColour; void main() { gl_FragColor = vec4(vColour, 1.0); }',
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.renderOrder = Number.NEGATIVE_INFINITY;
  return mesh;
}
