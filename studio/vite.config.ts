import { defineConfig } from 'vite';
import { sourceAliases } from '../scripts/source-aliases.js';

export default defineConfig({
  resolve: { alias: sourceAliases },
  build: {
    lib: { entry: { view: 'src/view.ts', 'render-page': 'src/render-page.ts' }, formats: ['es'] },
    target: 'es2022',
  },
});
