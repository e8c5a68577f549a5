import { type GraphQLEnumType, type GraphQLEnumValue, type GraphQLSchema, isEnumType } from 'graphql';
import { aliasNames } from './type-aliases.ts';

/** The values of an enum, by the other names that the directive `@aliases` gives them. */
export function enumAliases(type: GraphQLEnumType): ReadonlyMap<string, GraphQLEnumValue> {
  const aliases = new Map<string, GraphQLEnumValue>();
  for (const value of type.getValues()) {
    for (const alias of aliasNames(value)) {
      const place = `@aliases of ${type.name}.${value.name}: ${alias}`;
      if (type.getValues().some(({ name }) => name === alias)) throw new Error(`${place} is a value of the enum`);
      if (aliases.has(alias)) throw new Error(`${place} stands for ${aliases.get(alias)!.name} already`);
      aliases.set(alias, value);
    }
  }
  return aliases;
}

/**
 * Lets documents and variables have the other names of enum values. graphql-js reads input with `getValue`, and writes
 * responses and introspection without it.
 */
export function acceptEnumAliases(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isEnumType)) {
    const aliases = enumAliases(type);
    if (aliases.size === 0) continue;
    const getValue = type.getValue.bind(type);
    type.getValue = (name) => getValue(name) ?? aliases.get(name);
  }
}
