/** The flexible things of a scene, told apart by their type. See schema.ts. */

import { z } from 'zod';
import { typeFault } from './fields.ts';
import { fabricSchema } from './schema-fabric.ts';
import { mpmSchema } from './schema-mpm.ts';
import { strandSchema } from './schema-parts.ts';
import { rodSchema } from './schema-rod.ts';
import { sheetSchema } from './schema-sheet.ts';

/** Registry of object types; a new model is one line here. */
export const OBJECT_TYPES = ['strand', 'rod', 'sheet', 'fabric', 'mpm'] as const;

export const objectSchema = z.discriminatedUnion(
  'type',
  [strandSchema, rodSchema, sheetSchema, fabricSchema, mpmSchema],
  typeFault('an object', OBJECT_TYPES),
);
