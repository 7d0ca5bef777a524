// The studio's simulation worker for tests in Chromium, from its sources, bundled when it is first asked for. Tests start it two
// hundred times, and Vite would serve it in three hundred files each time, which takes longer than what most tests are about.
import { join } from 'node:path';
import { build } from 'vite';
import { withoutNodePlugin } from '../studio/without-node-plugin.js';
import { root } from './setup.js';
import { sourceAliases } from './source-aliases.js';

const WORKER = '/studio/src/simulation/worker.ts';
/** Its text. In one file: a part that is loaded later would load what it shares with the rest, the worker, a second time. */
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
        output: { codeSplitting: false },
      },
    },
  });
  return output[0].code;
}

/** The plugin for vitest: every way to import the worker gives the bundle. */
export function bundledWorkerPlugin() {
  let text;
  return {
    name: 'heddle-bundled-worker',
    configureServer({ middlewares, config }) {
      middlewares.use(async ({ url = '' }, response, next) => {
        if (url.split('?')[0] !== WORKER) return next();
        try {
          text ??= bundle();
          const body = await text;
          response.setHeaders(new Map(Object.entries({ ...config.server.headers, 'Content-Type': 'text/javascript' })));
          response.end(body);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}
