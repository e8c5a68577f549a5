import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/operation.ts';
import { IGNORED, SCHEMAS } from './inputs.ts';

/** Values for members of which not every text is accepted. */
const VALUES: Record<string, string> = { currency: 'EUR', currencyCode: 'EUR', slug: 'slug' };

const inputs = [...operations].flatMap(([name, { kind, field }]) =>
  kind === 'mutation'
    ? field.args
        .filter(({ type }) => isInputObjectType(getNamedType(type)))
        .map((argument) => ({ name: `${name}.${argument.name}`, type: argument.type }))
    : [],
);

/** A value with every member that can be sent, at every level. */
function everyMember(type: GraphQLInputType, name = ''): unknown {
  if (isNonNullType(type)) return everyMember(type.ofType, name);
  if (isListType(type)) return [everyMember(type.ofType, name)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (!isInputObjectType(type))
    return { Boolean: name !== 'deleted', Int: 1, Float: 1, Timestamp: 0 }[type.name] ?? VALUES[name] ?? 'x';
  const members = Object.values(type.getFields());
  return Object.fromEntries(members.map((member) => [member.name, everyMember(member.type, member.name)]));
}

/** The members of the input and of those below it, as `Type.member`. */
function membersOf(type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((member) => [
    `${named.name}.${member.name}`,
    ...membersOf(member.type),
  ]);
}

/** Those of them that the checked value does not have. */
function lostMembers(type: GraphQLInputType, checked: unknown): string[] {
  if (isNonNullType(type)) return lostMembers(type.ofType, checked);
  if (isListType(type)) return lostMembers(type.ofType, (checked as unknown[])[0]);
  if (!isInputObjectType(type)) return [];
  const known = checked as Record<string, unknown>;
  return Object.values(type.getFields()).flatMap((member) =>
    known[member.name] === undefined ? [`${type.name}.${member.name}`] : lostMembers(member.type, known[member.name]),
  );
}

const lostOf = ({ name, type }: (typeof inputs)[number]): string[] =>
  lostMembers(type, SCHEMAS[name]!.parse(everyMember(type)));

describe('the inputs of mutations', () => {
  it('are all compared here', () => {
    expect(Object.keys(SCHEMAS).toSorted()).toEqual(inputs.map(({ name }) => name).toSorted());
  });

  it.each(inputs)('$name loses no member that is not ignored on purpose', (input) => {
    const reasons = Object.values(IGNORED);
    expect(lostOf(input).filter((member) => !reasons.some((ignored) => ignored.test(member)))).toEqual([]);
  });

  it.each(Object.entries(IGNORED))('ignore what is said to be ignored: %s', (_reason, ignored) => {
    const named = inputs.flatMap(({ type }) => membersOf(type)).filter((member) => ignored.test(member));
    const lost = inputs.flatMap(lostOf).filter((member) => ignored.test(member));
    expect(lost.length).toBeGreaterThan(0);
    expect(lost).toEqual(named);
  });
});
