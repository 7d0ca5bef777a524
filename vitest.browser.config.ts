import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { bundledWorkerPlugin } from './scripts/bundled-worker.js';
import { sourceAliases } from './scripts/source-aliases.js';
import { TAGS } from './scripts/test-tiers.js';
import { CHROMIUM_FLAGS, findChromium } from './src/cli/chromium.ts';
import { galleryPlugin } from './studio/gallery-plugin.js';
import { validateGltf } from './test/browser/validate-gltf.ts';

// Without a found browser playwright would look for one of its own, which is never installed.
const executablePath = findChromium() ?? 'chromium-was-not-found';
// as the server of `heddle studio` has them: workers of an isolated page may share memory
const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const resolve = { alias: sourceAliases };

export default defineConfig({
  test: {
    tags: TAGS,
    projects: [
      {
        resolve,
        plugins: [galleryPlugin(), bundledWorkerPlugin()],
        publicDir: 'studio/public',
        server: { headers: ISOLATION_HEADERS },
        // found by scanning only while the tests run; a reload in the middle would fail them
        optimizeDeps: {
          include: [
            'three',
            'three/examples/jsm/loaders/GLTFLoader.js',
            'three/addons/controls/OrbitControls.js',
            'three/addons/lines/LineMaterial.js',
            'three/addons/lines/LineSegments2.js',
            'three/addons/lines/LineSegmentsGeometry.js',
            'three/addons/utils/BufferGeometryUtils.js',
            'lit',
            'lit/directives/live.js',
            'uplot',
            'axe-core',
            'zod',
            '@gltf-transform/core',
          ],
        },
        test: {
          name: 'chromium',
          include: ['test/browser/*.test.ts'],
          exclude: ['test/browser/*.node.test.ts'],
          globalSetup: ['test/browser/run-in-node.ts'],
          // time limits are only against hangs
          testTimeout: 900_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { validateGltf },
            provider: playwright({ launchOptions: { executablePath, args: [...CHROMIUM_FLAGS] } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        resolve,
        test: { name: 'node', include: ['test/browser/*.node.test.ts'], testTimeout: 900_000 },
      },
    ],
  },
});
