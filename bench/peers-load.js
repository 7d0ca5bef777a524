/** Loads the engines that benchmarks compare with. They are no dependencies of the package: a sentence says what to install. */
import { HeddleError } from 'heddle';

/**
 * The engines with what their `create` needs, Heddle's own first. `peers`: {module, package} each; a module exports `load`, to be awaited once.
 */
export async function loadEngines(own, peers, load = ({ module }) => import(new URL(module, import.meta.url).href)) {
  const missing = [];
  const engines = [{ engine: own, loaded: undefined }];
  for (const peer of peers) {
    try {
      const engine = await load(peer);
      engines.push({ engine, loaded: await engine.load() });
    } catch (error) {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      missing.push(peer.package);
    }
  }
  if (missing.length === 0) return engines;
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new HeddleError(
    `${missing.join(' and ')} ${are} not installed, and --peers measures ${them}: run "npm install --no-save ${missing.join(' ')}" where heddle is installed.`,
  );
}

/** Of this process [ms]: on a machine that also does other things it says more than a clock. */
export function readProcessorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
