import { defineConfig } from 'vite';
import { sourceAliases } from '../scripts/source-aliases.js';

export default defineConfig({
  resolve: { alias: sourceAliases },
  build: {
    // the pictures in public/ belong to the app
    copyPublicDir: false,
    lib: { entry: { view: 'src/view.ts', 'render-page': 'src/render-page.ts' }, formats: ['es'] },
    target: 'es2022',
    // the view writes no GLB; left out here, because that package mentions node: modules, which Vite would warn about
    rolldownOptions: { external: ['@gltf-transform/core'], treeshake: { moduleSideEffects: 'no-external' } },
  },
});
