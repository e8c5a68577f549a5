import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
  print,
  validate,
} from 'graphql';
import { coordinatesOf } from '../../src/graphql/usage/coordinates.ts';
import { isRetiredIn } from './changes.ts';
import type { Comparison } from './comparison.ts';
import { isUnused } from './used-changes.ts';

type Operation = readonly [kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>];

/** A document for each operation, with all its arguments as variables, and all fields of its result. */
export function completeDocuments(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const fieldsOf = (kind: 'query' | 'mutation'): Operation[] =>
    Object.values((kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {}).map(
      (field) => [kind, field],
    );
  const operations = [...fieldsOf('query'), ...fieldsOf('mutation')];
  return new Map(operations.map((operation) => [operation[1].name, documentOf(operation)]));
}

function documentOf([kind, { name, args, type }]: Operation): string {
  const variables = args.map((argument) => `$${argument.name}: ${argument.type.toString()}`);
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`);
  const inParentheses = (list: string[]): string => (list.length > 0 ? `(${list.join(', ')})` : '');
  const text = `${kind} ${name}${inParentheses(variables)} { ${name}${inParentheses(passed)} ${allFields(type)} }`;
  return `${print(parse(text))}\n`;
}

function allFields(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).map((field) => `${field.name} ${allFields(field.type)}`);
  return `{ ${fields.join(' ')} }`;
}

export type Refusal = { readonly message: string; readonly coordinate: string | null };

type Later = {
  readonly current: GraphQLSchema;
  /** Oldest first. */
  readonly releases: readonly GraphQLSchema[];
  /** The current schema compared with the last release, with the usage of clients if there is one. */
  readonly review: Pick<Comparison, 'changes'>;
  readonly now: Date;
};

/**
 * Why a schema refuses a document that the schema of a release accepted. Leaves out what is about an element that was
 * deprecated in a release and whose period has ended, or that nobody used. What the last release refuses was left out
 * before it.
 */
export function refusalsOf(
  document: DocumentNode,
  released: GraphQLSchema,
  { current, releases, review, now }: Later,
): Refusal[] {
  const last = releases.at(-1);
  const settled = new Set(last && validate(last, document).map(({ message }) => message));
  const mayBeGone = (coordinate: string): boolean =>
    isUnused(review, coordinate) || releases.some((schema) => isRetiredIn(schema, coordinate, now));
  const coordinates = coordinatesOf(document, released);
  return validate(current, document)
    .filter(({ message }) => !settled.has(message))
    .map(({ message, nodes }) => ({ message, coordinate: coordinates.get(nodes![0]!) ?? null }))
    .filter(({ coordinate }) => coordinate === null || !mayBeGone(coordinate));
}
