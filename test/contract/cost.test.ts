import { readdirSync, readFileSync } from 'node:fs';
import { getNamedType, getNullableType, type GraphQLInputType, isInputObjectType, isListType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readWorkloads } from '../../bench/read-workloads.ts';
import type { Shop } from '../../bench/workload.ts';
import { loadConfig } from '../../src/config.ts';
import { MAX_REQUEST_COST } from '../../src/graphql/cost/request-cost.ts';
import { fieldWeight } from '../../src/graphql/cost/weights.ts';
import { directiveOf } from '../../src/graphql/directives.ts';
import { resolvers } from '../../src/resolvers.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { pointLimits } from '../../src/http/admission/point-limiter.ts';
import { preparedOperation } from '../support/execute.ts';

/**
 * Requests a second of the best runs of `npm run bench` on two cores. The points of an app have to allow ROOM times as
 * many.
 */
const REACHED = { W1: 7_000, W2: 7_500, W4: 500, W8: 11_000, W9: 4_000 };
const ROOM = 4;

const schema = buildSchema(readSources(), resolvers);
const queries = Object.values(schema.getQueryType()!.getFields());
const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the SDL', () => {
  it('has the size of every list that a root field returns', () => {
    const silent = queries.filter((field) => {
      const { listSize } = fieldWeight(schema.getQueryType()!, field);
      const hasPage = field.args.some(({ type }) => getNamedType(type).name === 'PaginationInput');
      const isList = isListType(getNullableType(field.type));
      return (
        (hasPage && !listSize?.slicingArguments.some((path) => path.at(-1) === 'limit' && listSize.max === 200)) ||
        (isList && !listSize)
      );
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has no input that may contain itself, so that the computation of its cost ends', () => {
    const contains = (type: GraphQLInputType, above: readonly string[]): boolean => {
      const named = getNamedType(type);
      if (!isInputObjectType(named)) return false;
      return (
        above.includes(named.name) ||
        Object.values(named.getFields()).some((field) => contains(field.type, [...above, named.name]))
      );
    };
    const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
    expect(inputs.filter((type) => contains(type, [])).map(({ name }) => name)).toEqual([]);
  });

  it('has a number in every weight', () => {
    const weights = readdirSync(new URL('../../schema/', import.meta.url)).flatMap((name) =>
      [...text(`schema/${name}`).matchAll(/@cost\((.*?)\)/g)].map(([, given]) => given!),
    );
    expect(weights.length).toBeGreaterThan(40);
    expect(weights.filter((given) => !/^weight: "\d+(\.\d+)?"$/.test(given))).toEqual([]);
  });
});

it('charges a page of bulk operations for the many errors that each of them may have', () => {
  const document = parse('{ listBulkOperation(pagination: { limit: 10 }) { data { id errors { path } } } }');
  expect(preparedOperation(schema, document).cost.requested({})).toBeGreaterThanOrEqual(1_000);
});

it('charges a mutation with minimal arguments about as much as any other', () => {
  const expensive = Object.values(schema.getMutationType()!.getFields()).filter(
    (field) => !directiveOf(field, 'cost') && fieldWeight(schema.getMutationType()!, field).isList,
  );
  expect(expensive.map(({ name }) => name)).toEqual([]);
  const document = parse('mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { id countAfter } }');
  const input = [{ productId: 'p', variantId: 'v', stockLocationId: 'l', delta: 1, key: 'k' }];
  expect(Math.ceil(preparedOperation(schema, document).cost.requested({ input }))).toBe(106);
});

describe('the numbers', () => {
  const { rateLimitPointsPerSecond } = loadConfig({}).http;
  const limits = pointLimits(rateLimitPointsPerSecond)!;
  const written = [MAX_REQUEST_COST, limits.restoreRate].map((points) => points.toLocaleString('en'));

  it.each(['docs/limits.md', 'schema/common.graphql'])('of %s are those of the service', (path) => {
    expect(written.filter((points) => !text(path).includes(points))).toEqual([]);
  });

  it('of the table in docs/limits.md are right', () => {
    expect(text('docs/limits.md')).toContain(
      `| 20 products with brand, categories, tags, variants and prices | ${costOf('W1').toLocaleString('en')} |`,
    );
    expect(text('docs/limits.md')).toContain(
      `| a search with 20 hits and their variants and prices | ${costOf('W4').toLocaleString('en')} |`,
    );
    expect(text('docs/limits.md')).toContain(`| \`{ me { id name } }\` | ${costOf('W8')} |`);
  });

  it.each(Object.entries(REACHED))(
    'leave room for the workload %s of the bench at %i requests a second and more',
    (name, perSecond) => {
      expect(costOf(name) * perSecond * ROOM).toBeLessThan(limits.restoreRate);
    },
  );
});

function costOf(name: string): number {
  const shop = {
    products: [{ id: 'p', name: 'a blue lamp', variants: [{ id: 'v', sku: 's' }] }],
    deepPage: 1,
    deepCursor: '',
  } as unknown as Shop;
  const { query, variables } = readWorkloads.find((workload) => workload.name === name)!.request(shop, 1);
  const document = parse(query);
  return preparedOperation(schema, document).cost.requested(variables as Record<string, unknown>);
}
