/** What is behind the scene. */
import { CanvasTexture, Color, SRGBColorSpace } from 'three';

/** A plain colour, or by default a pale gradient. */
export function createBackground(colour: string | undefined): Color | CanvasTexture {
  if (colour !== undefined) return new Color(colour);
  const canvas = document.createElement('canvas');
  canvas.width = 2;
  canvas.height = 512;
  const context = canvas.getContext('2d')!;
  const gradient = context.createLinearGradient(0, 0, 0, canvas.height);
  gradient.addColorStop(0, '#f6f7f9');
  gradient.addColorStop(0.55, '#eceef1');
  gradient.addColorStop(1, '#dcdfe4');
  context.fillStyle = gradient;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
