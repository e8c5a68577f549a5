import { readdirSync, readFileSync } from 'node:fs';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { getNamedType, type GraphQLObjectType } from 'graphql';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentSdl, schemaOf } from '../../codegen/schema-review/sdl-version.ts';
import * as declarations from '../../drizzle/index.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { recordTypes } from '../../src/db/write/record-types.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Columns, constraints and indexes as PostgreSQL prints them, so that equal definitions have equal texts. */
type Catalogue = { columns: string[]; constraints: string[]; indexes: string[] };

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

let database: TestDatabase;
let declared: Catalogue;
let migrated: Catalogue;

beforeAll(async () => {
  database = await createDatabase();
  await createDeclared();
  [declared, migrated] = [await catalogueOf('declared'), await catalogueOf('public')];
});
afterAll(() => database.drop());

describe('the migrated database has what drizzle/ declares, and nothing else:', () => {
  it('tables and columns with their types, nullability and defaults', () => {
    expect(migrated.columns.length).toBeGreaterThan(100);
    expect(migrated.columns).toEqual(declared.columns);
  });

  it('primary, unique and foreign keys', () => {
    expect(migrated.constraints).toEqual(declared.constraints);
  });

  it('indexes', () => {
    expect(migrated.indexes).toEqual(declared.indexes);
  });

  it('the latest snapshot, from which the next migration is generated', async () => {
    expect(await generateMigration(latestSnapshot(), declaration())).toEqual([]);
  });
});

// The types of TypeScript are the same, and PostgreSQL refuses 1.5 for an integer.
it('no column of integers has the name of a Float of its record', () => {
  const schema = schemaOf(currentSdl());
  const records = { ...recordTypes, Customer: { table: declarations.customer } };
  const found = Object.entries(records).flatMap(([name, { table }]) => {
    const fields = (schema.getType(name) as GraphQLObjectType).getFields();
    return Object.entries(getTableColumns(table)).flatMap(([member, column]) => {
      const field = fields[member];
      const isFloat = field !== undefined && getNamedType(field.type).name === 'Float';
      return isFloat && /int|serial/.test(column.getSQLType()) ? [`${name}.${member}`] : [];
    });
  });
  // The service counts the orders.
  expect(found).toEqual(['Customer.orderCount']);
});

describe("a merchant's rows can be on one node, and none can refer to another merchant's row:", () => {
  // docs/reliability-tests.md: 16
  it('every table has a key that begins with merchant_id', () => {
    const keyed = new Set(
      migrated.constraints.filter((line) => /(PRIMARY KEY|UNIQUE)[^(]*\(merchant_id\b/.test(line)).map(tableOf),
    );
    for (const line of migrated.indexes)
      keyed.add(/^CREATE UNIQUE INDEX \w+ ON (\w+) USING btree \(merchant_id\b/.exec(line)?.[1] ?? '');
    expect([...new Set(migrated.columns.map(tableOf))].filter((table) => !keyed.has(table))).toEqual([]);
  });

  it('every primary key, unique constraint and unique index begins with merchant_id', () => {
    const keys = [...migrated.constraints, ...migrated.indexes].filter((line) => /PRIMARY KEY|UNIQUE/.test(line));
    expect(keys.filter((line) => !/\(merchant_id\b/.test(line.replace(/^.*?(?=\()/, '')))).toEqual([]);
  });

  // docs/reliability-tests.md: 10
  it('every foreign key contains merchant_id, and none sets a column to null when its target is deleted', () => {
    const keys = migrated.constraints.filter((line) => line.includes('FOREIGN KEY'));
    expect(keys.length).toBeGreaterThan(15);
    expect(
      keys.filter(
        (line) =>
          !/FOREIGN KEY \(merchant_id\b.*REFERENCES \w+\(merchant_id\b/.test(line) || /SET (NULL|DEFAULT)/.test(line),
      ),
    ).toEqual([]);
  });

  it('no constraint is deferrable', () => {
    expect(migrated.constraints.filter((line) => line.includes('DEFERRABLE'))).toEqual([]);
  });

  it('no column takes its values from a sequence', () => {
    expect(migrated.columns.filter((line) => /nextval|identity/.test(line))).toEqual([]);
  });
});

it.each([
  ['time', 'timestamptz', 'years_1_to_9999'],
  ['number', 'numeric', 'finite_numbers'],
])('each %s is in a constraint that refuses values that the API cannot show', async (_, type, name) => {
  const columns = await database.owner.execute(sql`
    select relname as table, attname as column, exists (
      select from pg_constraint
      where conrelid = attrelid and conname = relname || '_' || ${name}::text and contype = 'c' and attnum = any(conkey)
    ) as "isChecked"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and atttypid = ${type}::regtype and attnum > 0`);
  expect(columns.length).toBeGreaterThan(10);
  expect(columns.filter(({ isChecked }) => !isChecked)).toEqual([]);
});

it('each column with an enum is in a constraint that refuses other texts', async () => {
  const columns = Object.values<unknown>(declarations).flatMap((table) =>
    is(table, PgTable) ? getTableConfig(table).columns.filter(({ enumValues }) => enumValues !== undefined) : [],
  );
  const checked = await database.owner.execute<{ column: string }>(sql`
    select relname || '.' || attname as column from pg_constraint
    join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where connamespace = 'public'::regnamespace and contype = 'c' and conname = relname || '_enum_values'`);
  expect(columns.length).toBeGreaterThan(20);
  expect(checked.map(({ column }) => column).toSorted()).toEqual(
    columns.map(({ table, name }) => `${getTableName(table)}.${name}`).toSorted(),
  );
});

/** Creates the tables declared in drizzle/, without migrations, in another schema than the migrated ones. */
async function createDeclared(): Promise<void> {
  const statements = await generateMigration(generateDrizzleJson({}), declaration());
  // Foreign keys last: they need the unique indexes of the tables to which they refer.
  const { last = [], first = [] } = Object.groupBy(statements, (statement) =>
    statement.includes('FOREIGN KEY') ? 'last' : 'first',
  );
  await inTransaction({ db: database.owner }, async ({ db }) => {
    await db.execute(sql`create schema declared`);
    await db.execute(sql`set local search_path = declared, public`);
    for (const statement of [...first, ...last])
      await db.execute(sql.raw(statement.replaceAll('"public".', '"declared".')));
  });
}

function declaration() {
  return generateDrizzleJson(declarations);
}

function latestSnapshot() {
  const name = readdirSync(new URL('meta/', MIGRATIONS))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)!;
  return JSON.parse(readFileSync(new URL(`meta/${name}`, MIGRATIONS), 'utf8')) as ReturnType<typeof declaration>;
}

async function catalogueOf(schema: string): Promise<Catalogue> {
  const [row] = await database.owner.execute<{ [Part in keyof Catalogue]: string[] | null }>(sql`
    select (
      select json_agg(relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || coalesce(' collate ' || nullif(attcollation, 0)::regcollation, '')
        || case when attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
        || case when attidentity = '' then '' else ' identity' end order by relname, attname)
      from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    ) as columns, (
      select json_agg(relname || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid) order by relname, conname)
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where connamespace = ${schema}::regnamespace and contype in ('p', 'u', 'f', 'c', 'x')
    ) as constraints, (
      select json_agg(pg_get_indexdef(indexrelid) order by relname)
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = ${schema}::regnamespace
    ) as indexes`);
  const plain = (lines: string[] | null): string[] =>
    (lines ?? []).map((line) => line.replace(/\b(public|declared)\./g, ''));
  return { columns: plain(row!.columns), constraints: plain(row!.constraints), indexes: plain(row!.indexes) };
}

function tableOf(line: string): string {
  return line.split(' ')[0]!;
}
