import { readFileSync } from 'node:fs';
import { getNamedType, getNullableType, type GraphQLField, isListType, isObjectType, print } from 'graphql';
import { expect, it } from 'vitest';
import { operations } from '../support/operation.ts';

/** Lists without a paged sibling: a merchant has few apps, and an app has at most one webhook for each scope. */
const WITHOUT_PAGE = new Set(['listAuthorizedApp', 'listWebhook']);

const lists = [...operations].flatMap(([name, { kind, field }]) =>
  kind === 'query' && isListType(getNullableType(field.type)) && !WITHOUT_PAGE.has(name)
    ? [[name, field] as const]
    : [],
);

const siblingOf = (name: string): string =>
  `${name.slice('list'.length, 'list'.length + 1).toLowerCase()}${name.slice('list'.length + 1)}Page`;

const argumentsOf = (field: GraphQLField<unknown, unknown>): string[] =>
  field.args.map(
    ({ name, type, astNode }) => `${name}: ${String(type)} ${(astNode!.directives ?? []).map(print).join(' ')}`,
  );

const scopeOf = (field: GraphQLField<unknown, unknown>): string =>
  print(field.astNode!.directives!.find(({ name }) => name.value === 'requiresScope')!);

it.each(lists)('%s has a paged sibling with its records, filters and scope', (name, list) => {
  const page = operations.get(siblingOf(name))?.field;
  expect(page, siblingOf(name)).toBeDefined();
  expect(argumentsOf(page!).filter((argument) => argument !== 'sort: String ')).toEqual(argumentsOf(list));
  expect(argumentsOf(page!)).toHaveLength(list.args.length + 1);
  expect(scopeOf(page!)).toBe(scopeOf(list));
  const type = getNamedType(page!.type);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  expect(fields.map((field) => `${field.name}: ${String(field.type)}`)).toEqual([
    'count: Int!',
    `data: ${String(list.type)}`,
    'hasNext: Boolean!',
    'limit: Int!',
    'page: Int!',
    'endCursor: String',
  ]);
});

it.each(['docs/clients.md', 'docs/choices.md', 'schema/common.graphql'])(
  '%s names the lists without a sibling',
  (file) => {
    const text = readFileSync(file, 'utf8');
    expect([...WITHOUT_PAGE].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  },
);
