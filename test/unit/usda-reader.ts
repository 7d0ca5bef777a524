/** Reads the subset of usda that Heddle writes, strictly: every line must be understood, every bracket closed. */

export interface UsdAttribute {
  readonly type: string;
  /** The default value; tuples and arrays as nested lists. */
  value?: unknown;
  readonly metadata: Record<string, unknown>;
  /** Time code → value, in the order of the file. */
  readonly samples: Map<number, unknown>;
}

export interface UsdPrim {
  readonly type: string;
  readonly metadata: Record<string, unknown>;
  readonly attributes: Record<string, UsdAttribute>;
  readonly children: Record<string, UsdPrim>;
}

function readValue(text: string): unknown {
  return JSON.parse(text.replaceAll('(', '[').replaceAll(')', ']'));
}

export function readUsda(text: string): { metadata: Record<string, unknown>; prims: Record<string, UsdPrim> } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  let at = 0;
  const next = (): string => {
    if (at >= lines.length) throw new Error('The layer ends too early.');
    return lines[at++].trim();
  };
  const expectLine = (wanted: string): void => {
    const line = next();
    if (line !== wanted) throw new Error(`Line ${at}: "${line.slice(0, 60)}" instead of "${wanted}".`);
  };

  const readMetadata = (end: string): Record<string, unknown> => {
    const metadata: Record<string, unknown> = {};
    for (let line = next(); line !== end; line = next()) {
      const match = /^(?:string )?(\w+) = (.+)$/.exec(line);
      if (!match) throw new Error(`Line ${at} is no metadata: ${line.slice(0, 60)}`);
      metadata[match[1]] = match[2] === '{' ? readMetadata('}') : JSON.parse(match[2]);
    }
    return metadata;
  };

  const readSamples = (attribute: UsdAttribute): void => {
    for (let line = next(); line !== '}'; line = next()) {
      const match = /^(-?[\d.]+(?:e[+-]?\d+)?): (.+),$/.exec(line);
      if (!match) throw new Error(`Line ${at} is no time sample: ${line.slice(0, 60)}`);
      attribute.samples.set(Number(match[1]), readValue(match[2]));
    }
  };

  const readAttribute = (line: string, prim: UsdPrim): void => {
    const match = /^((?:uniform )?\w+(?:\[\])?) ([\w:]+)(\.timeSamples)? = (.+)$/.exec(line);
    if (!match) throw new Error(`Line ${at} is no attribute: ${line.slice(0, 60)}`);
    const [, type, name, timed, rest] = match;
    const attribute = (prim.attributes[name] ??= { type, metadata: {}, samples: new Map() });
    if (attribute.type !== type) throw new Error(`${name} is ${attribute.type} and ${type}.`);
    if (timed) {
      if (rest !== '{') throw new Error(`Line ${at}: time samples without {.`);
      readSamples(attribute);
      return;
    }
    const withMetadata = rest.endsWith(' (');
    attribute.value = readValue(withMetadata ? rest.slice(0, -2) : rest);
    if (withMetadata) Object.assign(attribute.metadata, readMetadata(')'));
  };

  const readPrim = (line: string, siblings: Record<string, UsdPrim>): void => {
    const match = /^def (\w+) "([A-Za-z_]\w*)"( \()?$/.exec(line);
    if (!match) throw new Error(`Line ${at} is no prim: ${line.slice(0, 60)}`);
    const prim: UsdPrim = { type: match[1], metadata: match[3] ? readMetadata(')') : {}, attributes: {}, children: {} };
    if (match[2] in siblings) throw new Error(`There are two prims "${match[2]}".`);
    siblings[match[2]] = prim;
    expectLine('{');
    for (let inner = next(); inner !== '}'; inner = next()) {
      if (inner.startsWith('def ')) readPrim(inner, prim.children);
      else readAttribute(inner, prim);
    }
  };

  expectLine('#usda 1.0');
  expectLine('(');
  const metadata = readMetadata(')');
  const prims: Record<string, UsdPrim> = {};
  while (at < lines.length) readPrim(next(), prims);
  return { metadata, prims };
}
