import { isEnumType, isIntrospectionType } from 'graphql';
import { constantOf } from './input-schema.ts';
import { currentSdl, schemaOf } from './schema-review/sdl-version.ts';

/** A graphql-codegen plugin: writes the values of each enum of the SDL in its order, for the columns that have them. */
export function plugin(): string {
  const enums = Object.values(schemaOf(currentSdl()).getTypeMap()).filter(isEnumType);
  const lines = enums
    .filter((type) => !isIntrospectionType(type))
    .map((type) => {
      const values = type.getValues().map(({ name }) => `'${name}'`);
      return `export const ${constantOf(type.name)} = [${values.join(', ')}] as const;\n`;
    });
  return `// Written by \`npm run codegen\` from schema/. Do not edit.\n${lines.join('')}`;
}
