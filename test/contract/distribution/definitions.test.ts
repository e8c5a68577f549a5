import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TENANT_TABLES } from '../tenant-tables.ts';
import { type Breach, definitionBreaches, type SqlFile } from './definition-scan.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const FIXTURES = new URL('fixtures/', import.meta.url);
/** Tables and functions of pg-boss, which are never distributed. */
const OF_THE_QUEUE = '0004_queue.sql';

describe('the definitions of the migrations', () => {
  it('contain nothing that Citus refuses or executes differently', () => {
    const files = [...filesOf(MIGRATIONS), ...filesOf(new URL('functions/', MIGRATIONS))];
    expect(files.length).toBeGreaterThan(30);
    expect(definitionBreaches(files, TENANT_TABLES).map(describeBreach)).toEqual([]);
  });
});

/** Fixtures: definitions of this service that failed when it was first run on a Citus cluster. */
describe('the scan finds in the definitions that failed on the first cluster', () => {
  const breaches = definitionBreaches(filesOf(FIXTURES), TENANT_TABLES).map(describeBreach);

  it.each<[string, string]>([
    [
      '1, conditions of triggers that read a sequence',
      'events.sql:81 sequence-in-trigger: trigger of customer_changed',
    ],
    ['1, in triggers that are made by a loop', 'events.sql:120 sequence-in-trigger: trigger of product_part_changed'],
    ['2, arrays of rows compared with =', 'events.sql:70 row-array-comparison: customer_changed'],
    ['3, generic plans', 'search.sql:4 generic-plan: product_search_refresh'],
    [
      '4, a trigger that counts with a sequence',
      'events.sql:43 sequence-in-trigger: webhook_registered, called by a trigger',
    ],
    ['5, a trigger that writes jobs', 'events.sql:11 queue-in-trigger: queue_webhook_deliveries, called by a trigger'],
    ['5, and notifies', 'events.sql:14 notify-in-trigger: queue_webhook_deliveries, called by a trigger'],
    ['6, a function in SQL', 'search.sql:25 sql-function-on-tenant-table: product_search_similar'],
    ['9, the name of the table of a trigger', 'events.sql:106 table-name: product_part_changed'],
  ])('row %s', (_, breach) => {
    expect(breaches).toContain(breach);
  });
});

describe('the scan', () => {
  it.each([
    [
      'an array of ids',
      "create function f() returns trigger language plpgsql as $$ declare ids uuid[] := '{}'; begin if ids = '{}' then return null; end if; end $$",
    ],
    [
      'an assignment to an array of rows',
      "create function f(rows product[]) returns void language plpgsql as $$ begin rows := '{}'; end $$",
    ],
    [
      'a function in SQL without tables',
      'create function f(text) returns text language sql immutable as $$ select lower($1) $$',
    ],
    [
      'a word in a comment',
      'create function f() returns void language plpgsql as $$ begin -- not tg_table_name\n end $$',
    ],
    [
      'a deletion with a sub-select',
      'create function f() returns void language plpgsql as $$ begin delete from product where id = any(array(select id from x)); end $$',
    ],
    [
      'a trigger of plain PostgreSQL',
      "create function f() returns trigger language plpgsql as $$ begin perform pg_notify('a', ''); end $$;\n" +
        'do $$ begin if not has_citus() then create trigger t after insert on product execute function f(); end if; end $$',
    ],
  ])('accepts %s', (_, text) => {
    expect(definitionBreaches([{ file: 'a.sql', text }], TENANT_TABLES)).toEqual([]);
  });

  it.each([
    [
      'merge-statement',
      'create function f() returns void language plpgsql as $$ begin merge into product using x on true; end $$',
    ],
    [
      'advisory-lock',
      'create function f() returns void language plpgsql as $$ begin perform pg_advisory_xact_lock(1) from product; end $$',
    ],
    [
      'joined-modification',
      'create function f() returns void language plpgsql as $$ begin delete from product p using unnest(ids) as i where p.id = i; end $$',
    ],
    [
      'joined-modification',
      'create function f() returns void language plpgsql as $$ begin update product set name = (select 1) from x where x.id = id; end $$',
    ],
    [
      'inserting-cte-in-trigger',
      'create function f() returns trigger language plpgsql as $$ begin with a as (insert into product values (1) returning id) insert into variant select id from a; end $$;\n' +
        'create trigger t after insert on customer execute function f();',
    ],
    [
      'row-array-comparison',
      "create function f(rows product[]) returns void language plpgsql as $$ begin if '{}' <> rows then end if; end $$",
    ],
  ])('finds %s', (rule, text) => {
    expect(definitionBreaches([{ file: 'a.sql', text }], TENANT_TABLES)).toMatchObject([{ rule }]);
  });
});

function filesOf(folder: URL): SqlFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file !== OF_THE_QUEUE)
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
}

function describeBreach({ file, line, rule, what }: Breach): string {
  return `${file}:${line} ${rule}: ${what}`;
}
