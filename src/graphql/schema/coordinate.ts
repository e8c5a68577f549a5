import { buildASTSchema, resolveSchemaCoordinate } from 'graphql';
import { parseSdl, readSources } from './sdl.ts';

/** Whether the SDL has a part of this name, for example `Product.name` or `Query.listProduct(id:)`. */
export function hasCoordinate(coordinate: string): boolean {
  const schema = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true });
  try {
    return resolveSchemaCoordinate(schema, coordinate) !== undefined;
  } catch {
    // graphql-js throws if the type or field that contains the coordinate does not exist.
    return false;
  }
}
