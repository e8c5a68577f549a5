import {
  type GraphQLError,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { similarNames } from './similar-names.ts';

/**
 * Errors about misspelt names of one request that get suggestions. Each compares a name with up to a few hundred names
 * of the schema, which takes one to four milliseconds.
 */
const MAX_SUGGESTED_ERRORS = 20;

type FindNames = (schema: GraphQLSchema, owner: string) => readonly string[];

/**
 * The messages of graphql-js about a name that is not in the schema, each with a function that returns the names that
 * exist. `name` is the misspelt name; `owner` is the type, field, directive or enum that was expected to have it.
 */
const MESSAGES: readonly (readonly [RegExp, FindNames])[] = [
  [/^Cannot query field "(?<name>\w+)" on type "(?<owner>\w+)"\.$/, fieldsOf],
  [/^Unknown argument "(?<name>\w+)" on field "(?<owner>\w+\.\w+)"\.$/, argumentsOf],
  [/^Unknown argument "(?<name>\w+)" on directive "@(?<owner>\w+)"\.$/, directiveArgumentsOf],
  [/^Unknown type "(?<name>\w+)"\.$/, (schema) => Object.keys(schema.getTypeMap())],
  [/(?:^|: )Expected value of type "(?<owner>\w+)!?" not to include unknown field "(?<name>\w+)", found: /, fieldsOf],
  [/(?:^|: )Value "(?<name>\w+)" does not exist in "(?<owner>\w+)" enum\./, valuesOf],
  [/(?:^|: )Enum "(?<owner>\w+)" cannot represent non-enum value: "(?<name>\w+)"\./, valuesOf],
];

/**
 * Adds `suggestions` to the extensions of errors about misspelt names: names of the schema that may be meant. The
 * messages stay as they are. Whoever may not see the schema is refused before the document is read.
 */
export function suggestNames(schema: GraphQLSchema, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  let compared = 0;
  for (const error of errors) {
    const suggestions = suggestionsFor(schema, error.message);
    if (suggestions === null) continue;
    if (suggestions.length > 0) Object.assign(error.extensions, { suggestions });
    if (++compared === MAX_SUGGESTED_ERRORS) break;
  }
  return errors;
}

/** Null if the message is not about a misspelt name. */
function suggestionsFor(schema: GraphQLSchema, message: string): string[] | null {
  for (const [pattern, findNames] of MESSAGES) {
    const { name, owner = '' } = pattern.exec(message)?.groups ?? {};
    if (name !== undefined) return similarNames(name, findNames(schema, owner));
  }
  return null;
}

function fieldsOf(schema: GraphQLSchema, owner: string): string[] {
  const type = schema.getType(owner);
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

function argumentsOf(schema: GraphQLSchema, owner: string): string[] {
  const [typeName = '', fieldName = ''] = owner.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  return (field?.args ?? []).map(({ name }) => name);
}

function directiveArgumentsOf(schema: GraphQLSchema, owner: string): string[] {
  return (schema.getDirective(owner)?.args ?? []).map(({ name }) => name);
}

function valuesOf(schema: GraphQLSchema, owner: string): string[] {
  const type = schema.getType(owner);
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
}
