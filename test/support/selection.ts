import { buildASTSchema, isObjectType } from 'graphql';
import type { Selection } from '../../src/db/read/projection.ts';
import { parseSdl, readSources } from '../../src/graphql/schema/sdl.ts';

const schema = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true });

/** Selects all fields of a type of the SDL, and of object fields all stored members. */
export function allFields(type: string): Selection {
  const found = schema.getType(type);
  if (!isObjectType(found)) throw new Error(`${type} is no object type of the SDL.`);
  return Object.fromEntries(Object.keys(found.getFields()).map((name) => [name, {}]));
}
