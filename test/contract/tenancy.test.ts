import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as tables from '../../drizzle/index.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { calls, createShop, type Shop } from './calls.ts';
import { type NewShop, shopCopies } from './shop-copies.ts';

const NO_ID = 'no id at all';

/** Ids of other systems in the inputs of mutations, as long as the text that any member may have. */
const STORED_AS_SENT = [
  /^CustomerInput\.(lastStorefrontRoutingId|tagIds|customerGroupIds|customerSegmentIds)$/,
  /^CustomerAttributeValueInput\./,
  /^CustomerAddress(City|Country|District|State)Input\.id$/,
];

/** Filters by ids of other systems, or of the client's own making. */
const NAMES_NO_RECORD = /^(vendorId|sourceId|variantSourceId)\./;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let newShop: NewShop;
let stranger: Context;
let foreign: Shop;
/** Of the queries, which change nothing. Each mutation has a shop of its own. */
let reader: [Context, Shop];
/** All rows of the stranger, which no operation of others may change. */
let before: object[];

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  stranger = await createContext(database.db);
  foreign = await createShop(api.call, stranger);
  newShop = await shopCopies(api.call, database);
  reader = await newShop();
  before = await everythingOf(stranger);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe("another merchant's id", () => {
  it('is tried with every operation of the schema', () => {
    expect(Object.keys(calls).sort()).toEqual([...operations.keys()].sort());
  });

  it('is of a record that the SDL names, or of another system: then it has a length', () => {
    const rules = new Set(['reference', 'ownId', 'ignored', 'length']);
    const unnamed = [...operations.values()]
      .flatMap(({ kind, field }) => (kind === 'mutation' ? field.args : []))
      .flatMap(({ type }) => inputsIn(type))
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({ field, name: `${type.name}.${field.name}` })),
      )
      .filter(({ field }) => isIdName(field.name) && hasIds(field))
      .filter(({ field }) => !field.astNode?.directives?.some((directive) => rules.has(directive.name.value)));
    const names = new Set(unnamed.map(({ name }) => name));
    expect([...names].filter((name) => !STORED_AS_SENT.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  // docs/reliability-tests.md: 9, 10, 14
  it.each(Object.keys(calls).filter((name) => idPositions(name).length > 0))(
    'gets the same answer from %s as an unknown id, in every position',
    async (name) => {
      expect(before.length).toBeGreaterThan(30);
      const [own, shop] = operations.get(name)!.kind === 'query' ? reader : await newShop();
      const call = calls[name]!(shop);
      for (const position of idPositions(name)) {
        const kind = kindAt(name, position, call, shop);
        const answer = async (id: string) =>
          JSON.stringify(await api.call(own, name, callWith(name, call, position, id))).replaceAll(id, '<id>');
        const absent = await answer(newId());
        expect(`${position}: ${await answer(foreign[kind])}`).toBe(`${position}: ${absent}`);
        expect(`${position}: ${await answer(NO_ID)}`).toBe(`${position}: ${absent}`);
        // The owner's id must get another answer: otherwise equal answers would prove nothing.
        const owned = await answer(shop[kind]);
        expect(owned, position).not.toBe(absent);
        expect(JSON.parse(owned), position).not.toHaveProperty('errors');
      }
      expect(await everythingOf(stranger)).toEqual(before);
    },
  );
});

/** The paths of all ids in an operation's arguments: `input.variants.0.id`, `id.in.0`. */
function idPositions(name: string): string[] {
  const { field } = operations.get(name)!;
  const positions = field.args.flatMap((argument) => placesIn(name, argument, argument.name));
  return positions.filter((position) => !NAMES_NO_RECORD.test(position));
}

function placesIn(name: string, member: GraphQLArgument | GraphQLInputField, path: string): string[] {
  const place = isListType(getNullableType(member.type)) ? `${path}.0` : path;
  const type = getNamedType(member.type);
  if (!isInputObjectType(type)) return isIdPlace(name, member, path) ? [place] : [];
  const fields = Object.values(type.getFields());
  if (!isFilter(type)) return fields.flatMap((field) => placesIn(name, field, `${place}.${field.name}`));
  if (!isIdName(member.name)) return [];
  return fields.filter(hasIds).map((field) => `${path}.${field.name}${isListType(field.type) ? '.0' : ''}`);
}

/**
 * Whether the member is an id: of inputs of mutations by its directive in the SDL, of arguments and filters by its
 * name.
 */
function isIdPlace(name: string, member: GraphQLArgument | GraphQLInputField, path: string): boolean {
  const isInput = operations.get(name)!.kind === 'mutation' && path.includes('.');
  if (!isInput) return isIdName(member.name) && hasIds(member);
  const directives = member.astNode?.directives?.map((directive) => directive.name.value) ?? [];
  return directives.includes('reference') || directives.includes('ownId');
}

/** The input types in an argument. */
function inputsIn(type: GraphQLInputType): GraphQLInputObjectType[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  return [named, ...Object.values(named.getFields()).flatMap((field) => inputsIn(field.type))];
}

function hasIds({ type }: { type: GraphQLInputType }): boolean {
  return ['String', 'ID'].includes(getNamedType(type).name);
}

function isIdName(member: string): boolean {
  return /^(id|idList|categoryPath)$|Ids?$|IdList$/.test(member);
}

function isFilter(type: GraphQLInputType): boolean {
  return getNamedType(type).name.endsWith('FilterInput');
}

/** The path of the filter that contains the position, `id` or `input.brandId`; null if no filter does. */
function filterAt(name: string, position: string): string[] | null {
  const [argument, ...members] = position.split('.');
  let type = operations.get(name)!.field.args.find((candidate) => candidate.name === argument)!.type;
  const path = [argument!];
  for (const member of members) {
    if (isFilter(type)) return path;
    const object = getNamedType(type);
    if (isInputObjectType(object) && object.getFields()[member]) type = object.getFields()[member]!.type;
    path.push(member);
  }
  return null;
}

/** The kind of the id that the owner's call has at the position. */
function kindAt(name: string, position: string, call: object, shop: Shop): keyof Shop {
  const filter = filterAt(name, position);
  // Filters inside an input are complete: `{in: [id]}`.
  const value = at(call, filter ? [...filter, ...(filter.length > 1 ? ['in', '0'] : [])] : position.split('.'));
  const kind = (Object.keys(shop) as (keyof Shop)[]).find((candidate) => shop[candidate] === value);
  if (!kind)
    throw new Error(`calls.ts: ${name} has no id of the shop at ${position}, nor is it one that names no record`);
  return kind;
}

/** The owner's call with another id at the position, and without other filters. */
function callWith(name: string, call: object, position: string, id: string): object {
  const { args } = operations.get(name)!.field;
  const kept = (isKept: (argument: (typeof args)[number]) => boolean): object =>
    structuredClone(
      Object.fromEntries(
        Object.entries(call).filter(([given]) => args.some((arg) => arg.name === given && isKept(arg))),
      ),
    );
  const filter = filterAt(name, position);
  if (filter) {
    const condition: object = { [position.split('.')[filter.length]!]: position.endsWith('.0') ? [id] : id };
    const filters: object = filter.reduceRight((inner, member) => ({ [member]: inner }), condition);
    return { ...kept((arg) => isRequiredArgument(arg) && arg.name !== filter[0]), ...filters };
  }
  const changed = kept(({ type }) => !isFilter(type));
  const members = position.split('.');
  (at(changed, members.slice(0, -1)) as { [member: string]: unknown })[members.at(-1)!] = id;
  return changed;
}

function at(value: unknown, members: string[]): unknown {
  return members.reduce<unknown>(
    (inner, member) => (inner as { [member: string]: unknown } | undefined)?.[member],
    value,
  );
}

/** All rows of the merchant, as text, by one statement. */
async function everythingOf({ merchantId }: Context): Promise<object[]> {
  const rowsOf = Object.values(tables)
    .filter((exported) => is(exported, PgTable))
    .map(
      (table) => sql`
        select ${getTableName(table)}::text as "table", t::text as "row" from ${table} as t where t.merchant_id = ${merchantId}`,
    );
  return [...(await database.db.execute(sql`${sql.join(rowsOf, sql` union all `)} order by 1, 2`))];
}
