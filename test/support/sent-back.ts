import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { operations } from './operation.ts';

/** The `input` of a mutation that sends a record back as it was read, without members that the input does not have. */
export function sentBack(mutation: string, record: unknown): Record<string, unknown> {
  const { type } = operations.get(mutation)!.field.args.find(({ name }) => name === 'input')!;
  return membersOf(type, record) as Record<string, unknown>;
}

function membersOf(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return membersOf(type.ofType, value);
  if (value === null || value === undefined) return value;
  if (isListType(type)) return (value as unknown[]).map((entry) => membersOf(type.ofType, entry));
  if (!isInputObjectType(type)) return value;
  const members = Object.values(type.getFields()).filter(({ name }) => name in (value as object));
  return Object.fromEntries(
    members.map((member) => [member.name, membersOf(member.type, (value as Record<string, unknown>)[member.name])]),
  );
}
