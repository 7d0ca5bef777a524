/** The studio as a static site in dist/app: works from any folder of any web server, offline too. */
import { defineConfig } from 'vite';
import { sourceAliases } from '../scripts/source-aliases.js';
import { galleryPlugin } from './gallery-plugin.js';
import { withoutNodePlugin } from './without-node-plugin.js';

export default defineConfig({
  base: './',
  resolve: { alias: sourceAliases },
  plugins: [galleryPlugin(), withoutNodePlugin()],
  worker: { format: 'es', plugins: () => [withoutNodePlugin()] },
  build: {
    outDir: 'dist/app',
    target: 'es2022',
    // a strict content-security policy allows no data: addresses for scripts, workers and fetch
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
