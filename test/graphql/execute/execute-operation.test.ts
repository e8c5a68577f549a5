import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import {
  execute as executePlainly,
  getNamedType,
  type GraphQLObjectType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { JsonText } from '../../../src/values/json.ts';
import { Timestamp } from '../../../src/graphql/schema/scalars.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { fullProductInput, plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createExecute } from '../../support/execute.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { withSelections } from '../../support/with-selections.ts';

const schema = withSelections(buildSchema(readSources(), resolvers));
let byGraphQLJs = 0;
const execute = createExecute(schema, () => (byGraphQLJs += 1));
const page = getNamedType(schema.getQueryType()!.getFields()['listProduct']!.type) as GraphQLObjectType;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const save = productSaver(ctx);
  for (let index = 0; index < 3; index++) await save(await fullProductInput(ctx));
  for (const sellPrice of [0, 0.1, 1e-6, 123_456_789.123, 999_999_999.999999, 1e9, 1_234_567_890_123.25, 12345678.9])
    await save(plainProduct('n', null, sellPrice));
  for (const weight of [1e-7, 0.1234567, 1e-12, 1 / 3, 1e9, 9_999_999_999_999, 999_999_999.999999])
    await save({ ...plainProduct('n'), weight });
  await save({ ...plainProduct('"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\u{1f600} <>&'), description: null });
});
afterAll(() => database.drop());

/** The texts of the answer from the executor and from graphql-js, and whether the executor made it alone. */
async function bothWays(
  text: string,
  variableValues: Record<string, unknown> = {},
): Promise<{ short: string; plain: string; isShort: boolean }> {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const args = { schema, document, variableValues, contextValue: ctx };
  const before = byGraphQLJs;
  const short = await execute(args);
  return {
    short: textOf(short),
    plain: JSON.stringify(await executePlainly(args)),
    isShort: byGraphQLJs === before && !short.errors,
  };
}

function textOf({ errors, data }: Awaited<ReturnType<typeof execute>>): string {
  const first = errors ? `"errors":${JSON.stringify(errors)}` : '';
  if (data === undefined) return `{${first}}`;
  return `{${first}${first && ','}"data":${data instanceof JsonText ? data.text : JSON.stringify(data)}}`;
}

describe('a page', () => {
  it('has the same bytes as the answer of graphql-js', async () => {
    const everyExact =
      '{ listProduct { hasNext count limit page endCursor data { name version weight createdAt deleted maxQuantityPerCart totalStock description brand { name id } tags { id name } categoryIds variants { sku barcodeList prices { sellPrice buyPrice discountPrice currency priceListId } images { order imageId } isActive } } } }';
    const { short, plain, isShort } = await bothWays(everyExact);
    expect(isShort).toBe(true);
    expect(short).toBe(plain);
  });

  it('has the same bytes for generated documents, with fragments, aliases and directives', async () => {
    let shortOnes = 0;
    await fc.assert(
      fc.asyncProperty(
        selections(page, 4),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (selected, limit, flag) => {
          const text = `query Q($limit: Int, $flag: Boolean = false) { listProduct(pagination: {limit: $limit}, includeDeleted: $flag) ${selected.body} } ${selected.fragments.join(' ')}`;
          const { short, plain, isShort } = await bothWays(text, { limit, flag });
          expect(short).toBe(plain);
          if (isShort) shortOnes++;
        },
      ),
      { numRuns: 150 },
    );
    expect(shortOnes).toBeGreaterThan(20);
  });

  it('leaves introspection to graphql-js', async () => {
    for (const text of [
      '{ listProduct { count } __type(name: "Product") { name fields { name } } __schema { queryType { name } } }',
      'query ($name: String = "Product") { __type(name: $name) { ...Names } ...Root } fragment Names on __Type { name } fragment Root on Query { __schema { types { ...Names } } }',
    ]) {
      const { short, plain, isShort } = await bothWays(text);
      expect(isShort, text).toBe(false);
      expect(short).toBe(plain);
    }
  });

  it('supports aliases, also __proto__, directives and __typename', async () => {
    for (const text of [
      '{ listProduct { data { __proto__: name id } } }',
      '{ __proto__: listProduct { count } me { id } }',
      '{ __proto__: __typename listProduct { __proto__: count data { id } } }',
      '{ listProduct { __proto__: data { variants { __proto__: prices { __proto__: sellPrice } } } } }',
      '{ listProduct { count } __typename }',
      '{ root: __typename }',
      '{ renamed: listProduct { count data { id } } }',
      '{ a: listProduct { count } b: listProduct { limit data { id } } tags: listProductTag { id again: id } me { id } }',
      '{ listProduct @include(if: true) { count } }',
      '{ listProduct { data { name @skip(if: true) id } } me @skip(if: true) { id } }',
      '{ listProduct { ...Row @include(if: false) data { ...Names @skip(if: false) id } } } fragment Row on ProductPaginationResponse { count } fragment Names on Product { name }',
      '{ ...Root a: listProduct { page } } fragment Root on Query { me { name } a: listProduct { count } }',
      '{ listProduct { total: count count data { id } } }',
      '{ listProduct { __typename data { __typename id brand { __typename } variants { __typename prices { __typename } } } } }',
      '{ listProduct { data { id } rest: data { name } } }',
      '{ listProduct { rows: data { id } rows: data { name } } }',
      '{ listProduct { data { first: variants { sku } second: variants { id } translations { locale } } } }',
      'query Apollo { listProduct { ...Page __typename } } fragment Page on ProductPaginationResponse { data { ...Row __typename } } fragment Row on Product { id n: name }',
    ]) {
      const { short, plain, isShort } = await bothWays(text);
      expect(isShort, text).toBe(true);
      expect(short).toBe(plain);
    }
  });

  it('reports errors like graphql-js', async () => {
    for (const text of [
      '{ listProduct(pagination: {limit: 1000}) { count } }',
      'query Q($limit: Int) { listProduct(pagination: {limit: $limit}) { count } }',
    ]) {
      const { short, plain } = await bothWays(text, { limit: 'many' });
      expect(short).toBe(plain);
    }
  });

  it('checks the scope', async () => {
    const document = parse('{ listProduct { count } }');
    const answer = await execute({
      document,
      contextValue: { ...ctx, session: { ...ctx.session, scopes: new Set() } },
    });
    expect(answer.errors![0]!.message).toBe('The scope read_products is required.');
  });
});

describe('stored records', () => {
  const fields = Object.values(schema.getQueryType()!.getFields()).filter(
    ({ type, args }) => isObjectType(getNamedType(type)) && !args.some(isRequiredArgument),
  );

  it.each(fields.map((field) => [field.name, field] as const))(
    'of %s have the same bytes as those of graphql-js',
    async (name, field) => {
      let shortOnes = 0;
      await fc.assert(
        fc.asyncProperty(
          selections(getNamedType(field.type) as GraphQLObjectType, 4),
          fc.boolean(),
          async ({ body, fragments }, flag) => {
            const selected = `{ ${name} ${body} } ${fragments.join(' ')}`;
            const { short, plain, isShort } = await bothWays(
              selected.includes('$flag') ? `query ($flag: Boolean!) ${selected}` : selected,
              { flag },
            );
            expect(short).toBe(plain);
            if (isShort) shortOnes++;
          },
        ),
        { numRuns: 25 },
      );
      expect(shortOnes).toBeGreaterThan(5);
    },
  );

  it('are left to graphql-js if a value does not fit its type', async () => {
    for (const broken of [
      { id: null },
      { id: 'a', items: 'no list' },
      { id: 'a', items: [new Error('lost')] },
      { id: 'a', at: 'yesterday' },
      { id: Promise.resolve('later') },
      new Error('none'),
      7,
      null,
    ]) {
      const { short, plain } = await answerOf(broken);
      expect(short).toBe(plain);
    }
    expect(await answerOf({ id: 'a', items: ['b'], at: 5, more: [{ id: 'c' }] })).toMatchObject({ isShort: true });
  });
});

/** The answers of a query whose field has this value, from the executor and from graphql-js. */
async function answerOf(value: unknown): Promise<{ short: string; plain: string; isShort: boolean }> {
  const typeDefs =
    'scalar Timestamp type Thing { id: ID! items: [String!] at: Timestamp more: [Thing] } type Query { thing: Thing }';
  const small = makeExecutableSchema({ typeDefs, resolvers: { Query: { thing: () => value }, Timestamp } });
  const args = { schema: small, document: parse('{ thing { at id items more { id at } } }') };
  let isShort = true;
  const short = await createExecute(small, () => (isShort = false))(args);
  return {
    short: textOf(short),
    plain: JSON.stringify(await executePlainly(args)),
    isShort,
  };
}

type Selected = { body: string; fragments: string[] };

/** Random selections of a type's fields: in any order, some twice, some in fragments, a few with alias or directive. */
function selections(type: GraphQLObjectType, depth: number): fc.Arbitrary<Selected> {
  const fields = Object.values(type.getFields()).filter(
    (field) => depth > 1 || !isObjectType(getNamedType(field.type)),
  );
  const one = fc.constantFrom(...fields).chain((field): fc.Arbitrary<Selected> => {
    const named = getNamedType(field.type);
    const below: fc.Arbitrary<Selected> = isObjectType(named)
      ? selections(named, depth - 1)
      : fc.constant({ body: '', fragments: [] });
    return fc.tuple(below, fc.integer({ min: 0, max: 60 })).map(([{ body, fragments }, dice]) => {
      const alias = dice < 3 ? `alias${field.name}: ` : '';
      const directive = dice === 3 ? ' @include(if: $flag)' : '';
      const typeName = dice > 57 ? '__typename ' : '';
      return { body: `${typeName}${alias}${field.name}${directive} ${body}`, fragments };
    });
  });
  return fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 9 }), fc.uuid())
    .map(([chosen, dice, id]) => {
      const inside = chosen.map(({ body }) => body).join(' ');
      const fragments = chosen.flatMap((selected) => selected.fragments);
      const name = `F${id.replaceAll('-', '')}`;
      if (dice === 0)
        return { body: `{ ...${name} }`, fragments: [...fragments, `fragment ${name} on ${type.name} { ${inside} }`] };
      if (dice === 1) return { body: `{ ... on ${type.name} { ${inside} } }`, fragments };
      return { body: `{ ${inside} }`, fragments };
    });
}
