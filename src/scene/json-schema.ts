/** JSON Schema (draft 7, which editors understand) of the scene format, generated from the zod schema. */

import { z } from 'zod';
import { sceneSchema } from './schema.ts';

/** A node of the generated JSON Schema, as far as Heddle itself reads it. */
export interface JsonSchema {
  readonly [key: string]: unknown;
  readonly description?: string;
  readonly unit?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema of what one writes into a scene file; `unit` holds the unit of a number. */
export function computeJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(sceneSchema, { io: 'input', target: 'draft-7' });
  return { title: 'Heddle scene', ...schema } as JsonSchema;
}
