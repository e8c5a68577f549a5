import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { filesOf, textOf } from './imports.ts';

/** Functions that defaults, generated columns or the creation of tables call. Migrations create them. */
const OF_TABLES = ['distribute', 'fold', 'has_citus', 'uuid_v7'];

const FOLDER = new URL('../../migrations/functions/', import.meta.url);
const FILES = new Map(
  readdirSync(FOLDER).map((file) => [file.replace(/\.sql$/, ''), readFileSync(new URL(file, FOLDER), 'utf8')]),
);

/** Built-in functions that PostgreSQL 15, the oldest that docs/running.md names, does not have. */
const NEWER_THAN_15 = new RegExp(
  `\\b(?:${[
    'pg_input_\\w+|any_value|random_normal|system_user|date_add|date_subtract|to_bin|to_oct|casefold|crc32c?',
    'array_(?:shuffle|sample|sort|reverse)|uuidv[47]|uuid_extract_\\w+|unicode_assigned',
    'json_(?:arrayagg|objectagg|scalar|serialize|exists|query|value|table)(?:_strict)?',
  ].join('|')})\\s*\\(`,
);

/** An option that the driver has and its types do not. */
const EXTENDED_PROTOCOL = { simple: false } as object;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('the functions of the database', () => {
  // docs/reliability-tests.md: 17
  it('with the rights of their owner search names first in schemas that no other role can write', async () => {
    const definers = await database.db.execute<{ name: string; settings: string[] | null }>(sql`
      select proname as name, proconfig as settings from pg_proc
      where prosecdef and pronamespace = 'public'::regnamespace order by proname`);
    expect(definers.length).toBeGreaterThan(5);
    expect(definers.filter(({ settings }) => !settings?.includes('search_path=pg_catalog, public, pg_temp'))).toEqual(
      [],
    );
  });

  it('that triggers call find each other whatever the search path of the writer is', async () => {
    const triggered = await database.db.execute<{ name: string; settings: string[] | null }>(sql`
      select distinct p.proname::text as name, p.proconfig as settings
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.pronamespace = 'public'::regnamespace`);
    expect(triggered.length).toBeGreaterThan(30);
    expect(triggered.filter(({ settings }) => !settings?.includes('search_path=pg_catalog, public, pg_temp'))).toEqual(
      [],
    );
  });

  it('that triggers call do not compile their statements, which Citus estimates far above what they cost', async () => {
    const compiled = await database.db.execute<{ name: string }>(sql`
      select distinct p.proname::text as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.pronamespace = 'public'::regnamespace and not 'jit=off' = any(p.proconfig)`);
    expect(compiled.map(({ name }) => name)).toEqual([]);
  });

  it('are each created by the file of their name, unless tables need them', async () => {
    const functions = await database.db.execute<{ name: string }>(sql`
      select proname::text as name from pg_proc p
      where pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
    const expected = [...FILES.keys(), ...OF_TABLES];
    // A function may keep its former parameters beside the new ones.
    const names = new Set(functions.map(({ name }) => name));
    expect([...names].toSorted()).toEqual(expected.toSorted());
  });

  it('join the rows before and after a statement without a nested loop, which would compare each pair of them', () => {
    const joins = [...FILES].flatMap(([name, text]) =>
      [...text.matchAll(/(?:old|new)_rows \w join (?:old|new)_rows/g)].map(({ index }) => ({
        name,
        setting: text
          .slice(0, index)
          .match(/set_config\('enable_nestloop', '(\w+)', true\)/g)
          ?.at(-1),
      })),
    );
    expect(joins.length).toBeGreaterThan(20);
    expect(joins.filter(({ setting }) => setting !== "set_config('enable_nestloop', 'off', true)")).toEqual([]);
    for (const [name, text] of FILES)
      if (text.includes("'enable_nestloop'"))
        expect(text.match(/'enable_nestloop', '\w+'/g)!.at(-1), name).toBe("'enable_nestloop', 'on'");
  });

  it('merge the changes of a transaction without comparing each pair of them', async () => {
    const [merge] = await database.db.execute<{ settings: string[] }>(
      sql`select proconfig as settings from pg_proc where proname = 'merge_change_parts'`,
    );
    expect(merge!.settings).toContain('enable_nestloop=off');
    // PostgreSQL looks an element up by hash only if the array is a constant. In an index scan it sorts them.
    const [, deletion] = FILES.get('merge_change_parts')!.match(/delete from change_part p\n([^;]+);/)!;
    expect(deletion!.match(/[\w.)]+ = any/g)).toEqual(['p.record_id = any']);
  });

  it.each([...FILES])(
    '%s: Postgres can read each statement, though migrations do not look into functions, and Citus hand it on',
    async (_, text) => {
      const owner = connectOnce(database.ownerUrl);
      const applied = owner.begin(async (transaction) => {
        await transaction`set local check_function_bodies = on`;
        // The extended protocol takes one statement at a time, unlike the simple one.
        for (const statement of text.split('--> statement-breakpoint'))
          await transaction.unsafe(statement, [], EXTENDED_PROTOCOL);
        throw new Error('undone');
      });
      await expect(applied).rejects.toThrow('undone');
      await owner.end();
    },
  );

  it('call no function of a PostgreSQL newer than 15, and neither does a statement of the service', () => {
    const texts = [...FILES, ...filesOf('src', 'drizzle').map((file): [string, string] => [file, textOf(file)])];
    expect(texts.filter(([, text]) => NEWER_THAN_15.test(text)).map(([name]) => name)).toEqual([]);
    expect("select pg_input_is_valid('1', 'int4')").toMatch(NEWER_THAN_15);
  });

  it.each([
    ['{"a":"text"}', true],
    ['{"a":"\\u00e9"}', true],
    ['{"a":"\\ud83d\\ude00"}', true],
    ['{"a":"\\uD83D\\uDE00\\uD83D\\uDE00"}', true],
    ['{"a":"\\\\u0000"}', true],
    ['{"a":"\\\\ud83d"}', true],
    ['{"a":"\\u0000"}', false],
    ['{"a":"\\\\\\u0000"}', false],
    ['{"a":"\\ud83d"}', false],
    ['{"a":"\\ude00\\ud83d"}', false],
    ['{"a":"\\ud83d\\ud83d\\ude00"}', false],
    ['{"a":"\\uD83Dx\\uDE00"}', false],
    ['{"a":"\\ud83d\\\\\\ude00"}', false],
    ['{"\\u0000":"a"}', false],
  ])(
    'is_readable tells of %s whether its texts can be read: %s, as PostgreSQL itself finds',
    async (document, readable) => {
      const [row] = await database.db.execute(
        sql`select is_readable(${document}::json) as found, pg_input_is_valid(${document}, 'jsonb') as expected`,
      );
      expect(row).toEqual({ found: readable, expected: readable });
    },
  );

  it('are each called by the service, a trigger or another function', async () => {
    const triggered = await database.db.execute<{ name: string }>(sql`
      select distinct p.proname::text as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal`);
    const called = new Set(triggered.map(({ name }) => name));
    const sources = filesOf('src').map(textOf).join('\n');
    const dead = [...FILES.keys()].filter((name) => {
      const call = new RegExp(`\\b${name}\\b`);
      return (
        !called.has(name) &&
        !call.test(sources) &&
        ![...FILES].some(([other, text]) => other !== name && call.test(text))
      );
    });
    expect(dead).toEqual([]);
  });

  // docs/reliability-tests.md: 17
  it('are the only indirect access to tables: views have the rights of the role that reads them', async () => {
    const views = await database.db.execute(sql`
      select relname::text as name, relkind as kind, to_json(reloptions) as options from pg_class
      where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace`);
    expect(views).toEqual([{ name: 'recorded_change', kind: 'v', options: ['security_invoker=true'] }]);
  });
});
