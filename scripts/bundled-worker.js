// The studio's simulation worker for tests in Chromium, from its sources, bundled when it is first asked for. Tests start it two
// hundred times, and Vite would serve it in three hundred files each time, which takes longer than what most tests are about.
import { join, posix } from 'node:path';
import { build } from 'vite';
import { withoutNodePlugin } from '../studio/without-node-plugin.js';
import { root } from './setup.js';
import { sourceAliases } from './source-aliases.js';

const WORKER = '/studio/src/simulation/worker.ts';
/** What it loads later stands beside it. */
const CHUNKS = posix.join(posix.dirname(WORKER), 'chunks/');

/** Address → text of each file. */
async function bundle() {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: { alias: sourceAliases },
    plugins: [withoutNodePlugin()],
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(root, WORKER),
        output: { entryFileNames: 'worker.ts', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
  return new Map(output.map(({ fileName, code }) => [posix.join(posix.dirname(WORKER), fileName), code]));
}

/** The plugin for vitest: every way to import the worker gives the bundle. */
export function bundledWorkerPlugin() {
  let files;
  return {
    name: 'heddle-bundled-worker',
    configureServer({ middlewares, config }) {
      middlewares.use(async ({ url = '' }, response, next) => {
        const path = url.split('?')[0];
        if (path !== WORKER && !path.startsWith(CHUNKS)) return next();
        try {
          files ??= bundle();
          const text = (await files).get(path);
          if (text === undefined) return next();
          response.setHeaders(new Map(Object.entries({ ...config.server.headers, 'Content-Type': 'text/javascript' })));
          response.end(text);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}
