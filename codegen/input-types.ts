import { basename } from 'node:path';
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
} from 'graphql';
import { directiveOf } from '../src/graphql/directives.ts';

export type Member = GraphQLInputField | GraphQLArgument;

/** The input types of mutations. The types of its members come before a type. */
export function savedTypes(schema: GraphQLSchema): GraphQLInputObjectType[] {
  const ordered = new Set<GraphQLInputObjectType>();
  const add = (type: GraphQLInputType, around: readonly GraphQLInputType[] = []): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || ordered.has(named)) return;
    if (around.includes(named)) throw new Error(`${placedName(named)} contains itself: its size would have no limit`);
    for (const member of membersOf(named)) add(member.type, [...around, named]);
    ordered.add(named);
  };
  for (const argument of mutationArguments(schema)) add(argument.type);
  return [...ordered];
}

export function mutationArguments(schema: GraphQLSchema): GraphQLArgument[] {
  return Object.values(schema.getMutationType()!.getFields()).flatMap(({ args }) => args);
}

/** The name with file and line. */
export function placedName({ name, astNode }: Member | GraphQLInputObjectType): string {
  return `${name} in ${astNode?.loc?.source.name}:${astNode?.loc?.startToken.line}`;
}

function membersOf(type: GraphQLInputObjectType): GraphQLInputField[] {
  return Object.values(type.getFields());
}

/** The members that have an effect. */
export function usedMembers(type: GraphQLInputObjectType): GraphQLInputField[] {
  return membersOf(type).filter((member) => !directiveOf(member, 'ignored'));
}

export function domainOf(type: GraphQLInputObjectType): string {
  return basename(type.astNode!.loc!.source.name, '.graphql');
}
