/** Gallery scenes of every model in Chromium: the same numbers as in Node. */
import { expect, inject, test } from 'vitest';
import { GALLERY_STEPS, hashGalleryRun } from './engine-gallery.ts';

test('Gallery scenes of every model end in the same bits as in Node', () => {
  const gallery = inject('gallery');
  expect(gallery).toHaveLength(Object.keys(GALLERY_STEPS).length);
  const own = gallery.map(({ name, text }) => [name, hashGalleryRun(name, text)]);
  expect(own).toEqual(gallery.map(({ name, hash }) => [name, hash]));
});
