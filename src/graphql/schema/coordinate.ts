import { buildASTSchema, resolveSchemaCoordinate } from 'graphql';
import { parseSdl, readSources } from './sdl.ts';

/** Whether the SDL has a part of this name, for example `Product.name` or `Query.listProduct(id:)`. */
export function hasCoordinate(coordinate: string): boolean {
  const schema = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true });
  try {
    return resolveSchemaCoordinate(schema, coordinate) !== undefined;
  } catch {
    // Thrown if what the coordinate is in does not exist.
    return false;
  }
}
