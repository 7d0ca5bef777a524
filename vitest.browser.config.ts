import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { bundledWorkerPlugin } from './scripts/bundled-worker.js';
import { sourceAliases } from './scripts/source-aliases.js';
import { LONG_FILES, TAGS } from './scripts/test-tiers.js';
import { CHROMIUM_FLAGS, findChromium } from './src/cli/chromium.ts';
import { galleryPlugin } from './studio/gallery-plugin.js';
import { HANG_LIMIT } from './test/browser/hang-limit.ts';
import { validateGltf } from './test/browser/validate-gltf.ts';

// Without a found browser playwright would look for one of its own, which is never installed.
const executablePath = findChromium() ?? 'chromium-was-not-found';
// as the server of `heddle studio` has them: workers of an isolated page may share memory
const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const resolve = { alias: sourceAliases };
// only what never ends is to fail by the clock: a cold start on a busy machine outlasts all of vitest's own limits
const limits = { testTimeout: HANG_LIMIT, hookTimeout: HANG_LIMIT };

export default defineConfig({
  test: {
    tags: TAGS,
    teardownTimeout: HANG_LIMIT,
    // read here, not from the project that has the browser
    browser: { connectTimeout: HANG_LIMIT },
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
          // vitest does not pass --exclude on to a project that has instances of a browser
          exclude: ['test/browser/*.node.test.ts', ...process.argv.filter((argument) => argument === LONG_FILES)],
          globalSetup: ['test/browser/run-in-node.ts'],
          ...limits,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { validateGltf },
            provider: playwright({ launchOptions: { executablePath, args: [...CHROMIUM_FLAGS], timeout: HANG_LIMIT } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        resolve,
        test: { name: 'node', include: ['test/browser/*.node.test.ts'], ...limits },
      },
    ],
  },
});
