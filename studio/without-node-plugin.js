// glTF Transform can also read and write files in Node, by imports of node: modules that a page never reaches. They become
// empty modules here, so that Vite has nothing to warn about; node: imports of anyone else still make it warn.

const EMPTY = '\0no-node-module';
const PACKAGE = '/node_modules/@gltf-transform/core/';

/** The plugin for vite. */
export function withoutNodePlugin() {
  return {
    name: 'heddle-without-node',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.startsWith('node:') && importer?.replaceAll('\\', '/').includes(PACKAGE) ? EMPTY : undefined,
    load: (id) => (id === EMPTY ? 'export {};' : undefined),
  };
}
