import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import { type Directive, directiveOf, directivesOf } from '../src/graphql/directives.ts';
import { DEFAULT_LIST_SIZE } from '../src/limits/list-size.ts';
import { filePlugin } from './file-plugin.ts';
import { domainOf, type Member, mutationArguments, placedName, savedTypes, usedMembers } from './input-types.ts';
import { currentSdl, schemaOf } from './schema-review/sdl-version.ts';

/** A generated file, and the schemas that it imports from those of other domains. */
type File = { readonly domain: string; readonly imported: Map<string, Set<string>> };

/** Finds the functions of `src/field-input.ts` that generated code calls, so that they are imported. */
const RULES = /\b(amount|currencyCode|distinct|id|instant|list|measure|name|notNull|number|ownId|text|trimmed)\(/g;

/**
 * Value objects that events contain as they are stored. A member that is left out is stored as null: in an event, the
 * absence of a member has another meaning, see "Long records" in docs/webhooks.md.
 */
const STORED_WITH_NULLS = [
  'HTMLMetaDataOverrideInput',
  'HTMLMetaDataTranslationInput',
  'ProductBaseUnitModelInput',
  'ProductTranslationInput',
  'VariantTypeTranslationInput',
  'VariantUnitModelInput',
  'VariantValueTranslationInput',
];

/** The domains whose SDL files have inputs of mutations. A file is generated for each. */
export function domainsWithInputs(): string[] {
  return [...new Set(savedTypes(schemaOf(currentSdl())).map(domainOf))].sort();
}

export const plugin = filePlugin('-input.ts', (domain) => inputSchemas(schemaOf(currentSdl()), domain));

/** The zod schemas of the inputs that a domain's mutations take, from the types and directives of the SDL. */
export function inputSchemas(schema: GraphQLSchema, domain: string): string {
  const file: File = { domain, imported: new Map() };
  const types = savedTypes(schema).filter((type) => domainOf(type) === domain);
  const enums = new Set(
    types
      .flatMap(usedMembers)
      .map(({ type }) => getNamedType(type))
      .filter(isEnumType),
  );
  const body = [
    ...[...enums].map(enumSchema),
    ...types.map((type) => objectSchema(file, type)),
    ...listArguments(schema, domain).map((argument) => listSchema(file, argument)),
  ].join('\n');
  return `// Written by \`npm run codegen\` from schema/${domain}.graphql. Do not edit.
import { z } from 'zod';
${imports(file, body)}
${body}`;
}

/** Arguments that are lists of inputs. Rules of the list are directives of the argument. */
function listArguments(schema: GraphQLSchema, domain: string): GraphQLArgument[] {
  return mutationArguments(schema).filter(({ type }) => {
    const named = getNamedType(type);
    return isListType(getNullableType(type)) && isInputObjectType(named) && domainOf(named) === domain;
  });
}

function enumSchema(type: GraphQLEnumType): string {
  const values = type.getValues().map(({ name }) => `'${name}'`);
  return `const ${constantOf(type.name)} = z.enum([${values.join(', ')}]);\n`;
}

function objectSchema(file: File, type: GraphQLInputObjectType): string {
  const absent = STORED_WITH_NULLS.includes(type.name) ? 'nullable().default(null)' : 'nullish()';
  const lines = usedMembers(type).map((member) => `  ${member.name}: ${memberSchema(file, member, absent)},`);
  const constant = constantOf(type.name);
  return `export const ${constant} = z.object({
${lines.join('\n')}
});
export type ${type.name} = z.output<typeof ${constant}>;
`;
}

function listSchema(file: File, argument: GraphQLArgument): string {
  return `export const ${constantOf(getNamedType(argument.type).name)}List = ${valueSchema(file, argument, getNullableType(argument.type))};\n`;
}

/** `absent`: the zod methods that let a member be left out, such as `nullish()`. */
function memberSchema(file: File, member: GraphQLInputField, absent: string): string {
  if (directiveOf(member, 'ownId')) return 'ownId()';
  const value = valueSchema(file, member, getNullableType(member.type));
  const fallback = member.astNode!.defaultValue;
  if (fallback) {
    const standard = JSON.stringify(valueFromASTUntyped(fallback));
    return isNonNullType(member.type)
      ? `${value}.default(${standard})`
      : `${value}.nullish().transform((sent) => sent ?? ${standard})`;
  }
  if (isNonNullType(member.type)) return value;
  return directiveOf(member, 'notNull') ? `notNull(${value})` : `${value}.${absent}`;
}

function valueSchema(file: File, member: Member, type: GraphQLInputType): string {
  if (isListType(type)) {
    const max = Number(directiveOf(member, 'listSize')?.['max'] ?? DEFAULT_LIST_SIZE);
    const entry = valueSchema(file, member, getNullableType(type.ofType));
    const list = `list(${entry}, ${max})`;
    const distinct = directivesOf(member, 'distinct').map(({ by }) => `.superRefine(distinct('${String(by)}'))`);
    return `${list}${distinct.join('')}`;
  }
  if (isEnumType(type)) return constantOf(type.name);
  if (isInputObjectType(type)) return inputSchema(file, type);
  return scalarSchema(member, getNamedType(type).name);
}

function inputSchema(file: File, type: GraphQLInputObjectType): string {
  const domain = domainOf(type);
  const constant = constantOf(type.name);
  if (domain === file.domain) return constant;
  const names = file.imported.get(domain) ?? new Set();
  file.imported.set(domain, names.add(constant));
  return constant;
}

function scalarSchema(member: Member, scalar: string): string {
  switch (scalar) {
    case 'Boolean':
      return 'z.boolean()';
    case 'Int':
      return 'z.int()';
    case 'Timestamp':
      return 'instant()';
    case 'Float':
      return numberSchema(member);
    default:
      return textSchema(member);
  }
}

function numberSchema(member: Member): string {
  const [amount, measure] = [directiveOf(member, 'amount'), directiveOf(member, 'measure')];
  if (amount) return Object.keys(amount).length > 0 ? `amount(${objectLiteral(amount)})` : 'amount()';
  if (measure) return measure['signed'] === true ? 'number()' : 'measure()';
  throw new Error(`${placedName(member)} is a Float of an input: it needs @amount or @measure`);
}

function textSchema(member: Member): string {
  if (directiveOf(member, 'reference')) return 'id()';
  if (directiveOf(member, 'currency')) return 'currencyCode()';
  const length = directiveOf(member, 'length');
  const max = length ? String(length['max']) : '';
  if (!directiveOf(member, 'normalized')) return `text(${max}${length?.['min'] === 1 ? ', 1' : ''})`;
  return length?.['min'] === 1 ? `name(${max})` : `trimmed(${max})`;
}

function objectLiteral(values: Directive): string {
  return `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')} }`;
}

function imports({ imported }: File, body: string): string {
  const rules = [...new Set(Array.from(body.matchAll(RULES), ([, name]) => name!))].sort();
  const lines = [...imported].map(
    ([domain, names]) =>
      `import { ${[...names].sort().join(', ')} } from '../../${domain}/generated/${domain}-input.ts';\n`,
  );
  return `import { ${rules.join(', ')} } from '../../field-input.ts';\n${lines.sort().join('')}`;
}

/** `HTMLMetaDataInput` becomes `htmlMetaDataInput`. */
export function constantOf(typeName: string): string {
  return typeName.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
}
