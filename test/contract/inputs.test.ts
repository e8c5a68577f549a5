import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/operation.ts';
import { SCHEMAS } from './inputs.ts';

/** Values of members that do not accept every text. */
const VALUES: Record<string, string> = { currency: 'EUR', currencyCode: 'EUR', slug: 'slug' };

const inputs = [...operations].flatMap(([name, { kind, field }]) =>
  kind === 'mutation'
    ? field.args
        .filter(({ type }) => isInputObjectType(getNamedType(type)))
        .map((argument) => ({ name: `${name}.${argument.name}`, type: argument.type }))
    : [],
);

/** A value with all members of the input, at every level. */
function everyMember(type: GraphQLInputType, name = ''): unknown {
  if (isNonNullType(type)) return everyMember(type.ofType, name);
  if (isListType(type)) return [everyMember(type.ofType, name)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (!isInputObjectType(type))
    return { Boolean: name !== 'deleted', Int: 1, Float: 1, Timestamp: 0 }[type.name] ?? VALUES[name] ?? 'x';
  const members = Object.values(type.getFields());
  return Object.fromEntries(members.map((member) => [member.name, everyMember(member.type, member.name)]));
}

/** The members of the input and of those below it that the SDL calls ignored, as `Type.member`. */
function ignoredMembers(type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((member) =>
    member.astNode?.directives?.some((directive) => directive.name.value === 'ignored')
      ? [`${named.name}.${member.name}`]
      : ignoredMembers(member.type),
  );
}

/** The members that validation has removed. */
function lostMembers(type: GraphQLInputType, checked: unknown): string[] {
  if (isNonNullType(type)) return lostMembers(type.ofType, checked);
  if (isListType(type)) return lostMembers(type.ofType, (checked as unknown[])[0]);
  if (!isInputObjectType(type)) return [];
  const known = checked as Record<string, unknown>;
  return Object.values(type.getFields()).flatMap((member) =>
    known[member.name] === undefined ? [`${type.name}.${member.name}`] : lostMembers(member.type, known[member.name]),
  );
}

describe('the inputs of mutations', () => {
  it('are all checked here', () => {
    expect(Object.keys(SCHEMAS).toSorted()).toEqual(inputs.map(({ name }) => name).toSorted());
  });

  it.each(inputs)('validation of $name removes exactly the members that the SDL calls ignored', ({ name, type }) => {
    expect(lostMembers(type, SCHEMAS[name]!.parse(everyMember(type)))).toEqual(ignoredMembers(type));
  });

  it('include members that are ignored', () => {
    expect(inputs.flatMap(({ type }) => ignoredMembers(type)).length).toBeGreaterThan(0);
  });
});
