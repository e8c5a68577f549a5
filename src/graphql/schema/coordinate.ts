import { buildASTSchema, resolveSchemaCoordinate } from 'graphql';
import { similarNames } from '../document/similar-names.ts';
import { parseSdl, readSources } from './sdl.ts';

/**
 * The parts of the SDL that may be meant by a name that it does not have: types, and fields or enum values of a type of
 * this name.
 */
export function similarCoordinates(coordinate: string): string[] {
  const types = buildASTSchema(parseSdl(readSources()), { assumeValidSDL: true }).getTypeMap();
  const [typeName = '', member] = coordinate.split(/[.(]/);
  if (member === undefined || !Object.hasOwn(types, typeName))
    return similarNames(typeName, Object.keys(types)).map((name) => coordinate.replace(typeName, name));
  const type = types[typeName]!;
  const names =
    'getFields' in type
      ? Object.keys(type.getFields())
      : 'getValues' in type
        ? type.getValues().map(({ name }) => name)
        : [];
  return similarNames(member, names).map((name) => `${typeName}.${name}`);
}

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
