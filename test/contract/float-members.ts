import {
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { operations } from '../support/operation.ts';

/** Placeholder for the number in the text of a request, because JSON.stringify cannot write 1e-400. */
export const NUMBER_MARK = '"<number>"';

export type FloatMember = {
  operation: string;
  path: (string | number)[];
  /** The member's description in the SDL. */
  description: string;
  /** JSON text of valid arguments, with the placeholder instead of the number. */
  variables: string;
};

/** Each Float in the arguments of each mutation that is not ignored, with few other members. */
export function floatMembers(): FloatMember[] {
  return [...operations].flatMap(([operation, { kind, field }]) =>
    kind === 'query'
      ? []
      : field.args.flatMap((argument) =>
          placesIn(argument.type, argument.description ?? '', 0).map(({ path, description, value }) => ({
            operation,
            path: [argument.name, ...path],
            description,
            variables: JSON.stringify({
              ...requiredOf(field.args.filter(({ name }) => name !== argument.name)),
              [argument.name]: value,
            }),
          })),
        ),
  );
}

type Place = { path: (string | number)[]; description: string; value: unknown };

function placesIn(type: GraphQLInputType, description: string, depth: number): Place[] {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    return placesIn(nullable.ofType, description, depth).map((place) => ({
      ...place,
      path: [0, ...place.path],
      value: [place.value],
    }));
  }
  if (!isInputObjectType(nullable))
    return String(nullable) === 'Float' ? [{ path: [], description, value: JSON.parse(NUMBER_MARK) as string }] : [];
  const fields = Object.values(nullable.getFields()).filter(
    ({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'ignored'),
  );
  return depth > 5
    ? []
    : fields.flatMap((field) =>
        placesIn(field.type, field.description ?? '', depth + 1).map(({ path, value, ...place }) => ({
          ...place,
          path: [field.name, ...path],
          value: { ...requiredOf(fields.filter(({ name }) => name !== field.name)), [field.name]: value },
        })),
      );
}

function requiredOf(
  fields: readonly Pick<GraphQLInputField, 'name' | 'type' | 'defaultValue'>[],
): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter(({ type }) => isNonNullType(type)).map(({ name, type }) => [name, plainValue(getNullableType(type))]),
  );
}

function plainValue(type: GraphQLInputType): unknown {
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) return requiredOf(Object.values(type.getFields()));
  if (String(type) === 'Boolean') return false;
  return ['Int', 'Float', 'Timestamp'].includes(String(type)) ? 1 : 'a';
}
