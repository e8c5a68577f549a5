import {
  getNamedType,
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
} from 'graphql';
import { directiveOf } from '../src/graphql/directives.ts';
import { filePlugin } from './file-plugin.ts';
import { domainOf, savedTypes, usedMembers } from './input-types.ts';
import { currentSdl, schemaOf } from './schema-review/sdl-version.ts';

/** A member of an input that has ids of other records. Example of `path`: `variants[].prices[].priceListId`. */
export type InputReference = { path: string; to: string; partOf?: string; again?: false };

/** The domains whose inputs have ids of other records. One file is generated for each. */
export function domainsWithReferences(): string[] {
  return [...new Set(referringTypes(schemaOf(currentSdl())).map(domainOf))].sort();
}

export const plugin = filePlugin('-references.ts', referenceFile);

/** Which members of a domain's inputs refer to which records. */
function referenceFile(domain: string): string {
  const types = referringTypes(schemaOf(currentSdl())).filter((type) => domainOf(type) === domain);
  return `// Written by \`npm run codegen\` from @reference in schema/${domain}.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const ${domain.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}References = {
${types.map((type) => `  ${type.name}: [\n${referencesOf(type).map(line).join('')}  ],\n`).join('')}} satisfies Record<string, readonly Reference[]>;
`;
}

function line({ path, ...reference }: InputReference): string {
  const rest = Object.entries(reference).map(([name, value]) => `, ${name}: ${textOf(value)}`);
  return `    { path: '${path}'${rest.join('')} },\n`;
}

function textOf(value: string | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/**
 * The inputs of mutations, and those of records inside them, such as the variants of a product. An entry with an own id
 * is a record with a list of its own.
 */
function referringTypes(schema: GraphQLSchema): GraphQLInputObjectType[] {
  const types = savedTypes(schema);
  const inner = new Set(types.flatMap((type) => usedMembers(type).filter(isWithin).map(typeOf)));
  return types.filter((type) => !inner.has(type) && referencesOf(type).length > 0);
}

/** The references of an input and of the value objects in it. */
export function referencesOf(type: GraphQLInputObjectType): InputReference[] {
  return usedMembers(type).flatMap((member) => {
    const path = isListType(getNullableType(member.type)) ? `${member.name}[]` : member.name;
    const reference = directiveOf(member, 'reference');
    if (reference) return [checked(type, { path, ...(reference as Omit<InputReference, 'path'>) })];
    if (!isWithin(member)) return [];
    const entries = referencesOf(typeOf(member));
    return entries.map((entry) => ({ ...entry, path: `${path}.${entry.path}` }));
  });
}

function checked(type: GraphQLInputObjectType, reference: InputReference): InputReference {
  const { path, partOf } = reference;
  if (partOf === undefined || type.getFields()[partOf]) return reference;
  throw new Error(`${type.name}.${path} is part of ${partOf}, which is no member of ${type.name}`);
}

function isWithin(member: GraphQLInputField): boolean {
  const type = typeOf(member);
  return isInputObjectType(type) && !usedMembers(type).some((own) => directiveOf(own, 'ownId'));
}

function typeOf(member: GraphQLInputField): GraphQLInputObjectType {
  return getNamedType(member.type) as GraphQLInputObjectType;
}
