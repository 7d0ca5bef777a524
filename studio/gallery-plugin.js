// The gallery of the studio, made when it is built: `virtual:heddle-gallery` lists scenes/*.json by what their cards show,
// and loads their text and the meshes beside them only when asked. A picture is studio/public/thumbnails/NAME.png, or
// docs/pictures/NAME.png without the model's name in front.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MODULE = 'virtual:heddle-gallery';
const PICTURE = 'virtual:heddle-picture/';
const scenes = new URL('../scenes/', import.meta.url);

const toPath = (url) => fileURLToPath(url).replaceAll('\\', '/');

/** An expression for the address of a scene's picture; `imports` gets the line that it may need. */
function writePicture(name, imports) {
  // what is in public/ stands beside the page under its own name
  if (existsSync(new URL(`./public/thumbnails/${name}.png`, import.meta.url))) return `'./thumbnails/${name}.png'`;
  const drawn = new URL(`../docs/pictures/${name.replace(/^[a-z]+-/, '')}.png`, import.meta.url);
  if (!existsSync(drawn)) return 'undefined';
  const variable = `picture${imports.length}`;
  imports.push(`import ${variable} from ${JSON.stringify(`${toPath(drawn)}?url`)};`);
  return variable;
}

function describeScene(file) {
  const {
    name,
    title,
    description,
    paper,
    figure,
    objects = [],
  } = JSON.parse(readFileSync(new URL(file, scenes), 'utf8'));
  const models = [...new Set(objects.map((object) => object.type))];
  return { name, title: title ?? name, description: description ?? '', paper, figure, models };
}

/** The text of the module. */
function writeModule() {
  const files = readdirSync(scenes).sort();
  const imports = [];
  const entries = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const card = describeScene(file);
      const text = JSON.stringify(`${toPath(new URL(file, scenes))}?raw`);
      const picture = writePicture(card.name, imports);
      return `{ ...${JSON.stringify(card)}, picture: ${picture}, load: async () => (await import(${text})).default }`;
    });
  const meshes = files
    .filter((file) => /\.(obj|gltf|glb)$/.test(file))
    .map((file, i) => {
      imports.push(`import mesh${i} from ${JSON.stringify(`${toPath(new URL(file, scenes))}?url`)};`);
      return `${JSON.stringify(file)}: mesh${i}`;
    });
  return `${imports.join('\n')}
export const SCENES = [
${entries.join(',\n')}
];
export const MESHES = { ${meshes.join(', ')} };
`;
}

/** The plugin for vite and vitest. `virtual:heddle-picture/NAME` is the address of docs/pictures/NAME.png. */
export function galleryPlugin() {
  return {
    name: 'heddle-gallery',
    resolveId: (id) => (id === MODULE || id.startsWith(PICTURE) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${MODULE}`) return writeModule();
      if (!id.startsWith(`\0${PICTURE}`)) return undefined;
      const picture = new URL(`../docs/pictures/${id.slice(PICTURE.length + 1)}.png`, import.meta.url);
      return `export { default } from ${JSON.stringify(`${toPath(picture)}?url`)};`;
    },
  };
}
