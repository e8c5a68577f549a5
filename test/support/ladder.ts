import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { exampleVariables } from './example-input.ts';

/** A field with a selection, and the shortest path to it from the root. */
export type Place = {
  name: string;
  type: GraphQLObjectType;
  document(inner: string, definitions?: readonly string[]): string;
  variables: Record<string, unknown>;
};

type Step = { type: GraphQLObjectType; fields: readonly GraphQLField<unknown, unknown>[] };

/** Both roots, and each field of the schema with a selection, including `__schema` and `__type`. */
export function placesOf(schema: GraphQLSchema): Place[] {
  const places: Place[] = [];
  for (const [kind, root] of [
    ['query', schema.getQueryType()!],
    ['mutation', schema.getMutationType()!],
  ] as const) {
    const meta = kind === 'query' ? [schema.getField(root, '__schema')!, schema.getField(root, '__type')!] : [];
    const open: Step[] = [{ type: root, fields: [] }];
    const reached = new Set([root]);
    places.push(placeOf(kind, root.name, open[0]!));
    for (let step = open.shift(); step; step = open.shift()) {
      for (const field of [...Object.values(step.type.getFields()), ...(step.type === root ? meta : [])]) {
        const type = getNamedType(field.type);
        if (!isObjectType(type)) continue;
        const next = { type, fields: [...step.fields, field] };
        places.push(placeOf(kind, `${step.type.name}.${field.name}`, next));
        if (!reached.has(type)) open.push(next);
        reached.add(type);
      }
    }
  }
  return places;
}

function placeOf(kind: string, name: string, { type, fields }: Step): Place {
  const required = fields.flatMap((field) => field.args.filter(isRequiredArgument));
  const declared = required.map((argument) => `$${argument.name}: ${String(argument.type)}`);
  const opened = fields.map((field) => {
    const passed = field.args.filter(isRequiredArgument).map((argument) => `${argument.name}: $${argument.name}`);
    return `{ ${field.name}${passed.length > 0 ? `(${passed.join(', ')})` : ''}`;
  });
  return {
    name,
    type,
    variables: exampleVariables(required),
    document: (inner, definitions = []) => {
      const variables = [...declared, ...definitions];
      return `${kind} ${variables.length > 0 ? `(${variables.join(', ')})` : ''} ${opened.join(' ')} ${inner} ${'}'.repeat(fields.length)}`;
    },
  };
}

/** Fragments that each spread the next one twice: 2^length selections if each spread is expanded. */
export function ladder(
  type: string,
  length: number,
  leaf: string,
  directives: readonly [string, string] = ['', ''],
  directed = length,
): string {
  const rungs = Array.from({ length: length - 1 }, (_, index) => {
    const [first, second] = index < directed ? directives : ['', ''];
    return `fragment F${index} on ${type}{...F${index + 1}${first} ...F${index + 1}${second}}`;
  });
  return `${rungs.join(' ')} fragment F${length - 1} on ${type}{${leaf}}`;
}
