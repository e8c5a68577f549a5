import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/** Values for required arguments, without optional members. */
export function exampleVariables(required: readonly GraphQLArgument[]): Record<string, unknown> {
  return Object.fromEntries(required.map(({ name, type }) => [name, exampleOf(type)]));
}

function exampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return exampleOf(type.ofType);
  if (isListType(type)) return [exampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (!isInputObjectType(type)) return { Boolean: true, Int: 1, Float: 1, Timestamp: 0 }[type.name] ?? 'x';
  const members = Object.values(type.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(members.map((member) => [member.name, exampleOf(member.type)]));
}
