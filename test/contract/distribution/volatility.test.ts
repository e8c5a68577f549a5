import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { sourcePlace } from '../source-place.ts';
import { TENANT_TABLES } from '../tenant-tables.ts';
import { VolatilityScan } from './volatility-scan.ts';

const STATEMENTS = readFileSync(new URL('fixtures/statements.sql', import.meta.url), 'utf8');

let database: TestDatabase;
let scan: VolatilityScan;

beforeAll(async () => {
  database = await createDatabase();
  scan = new VolatilityScan(database.owner, TENANT_TABLES);
});
afterAll(() => database.drop());

/** Fixtures: statements of this service that Citus refused when it was first run on a cluster. */
describe('the scan finds in the statements that the first cluster refused', () => {
  const breachesOf = async (table: string, place: number) =>
    (await scan.breachesOf(STATEMENTS.split(';\n').filter((text) => text.includes(`update ${table}`))[place]!)).map(
      ({ clause, what }) => `${clause} ${what}`,
    );

  it('calls of columns in SET and RETURNING, where deliveries are claimed', async () => {
    const breaches = await breachesOf('webhook_delivery', 0);
    expect(breaches).toContain('SET jsonb_build_object("any")');
    expect(breaches).toContain('SET "extract"(text,timestamp with time zone)');
    expect(breaches).toContain('RETURNING "extract"(text,timestamp with time zone)');
  });

  it('an interval of a column, where deliveries are settled', async () => {
    expect(await breachesOf('webhook_delivery', 1)).toEqual([
      'SET timestamptz_pl_interval(timestamp with time zone,interval)',
    ]);
  });

  it('the time in COALESCE, where an app is revoked', async () => {
    expect(await breachesOf('authorized_app', 0)).toEqual(['SET now()']);
  });
});

describe('the scan', () => {
  it.each([
    ['a constant time', 'update customer set updated_at = now() where merchant_id = $1'],
    [
      'a time computed from parameters',
      "update customer set updated_at = now() - $2::int * interval '1 s' where merchant_id = $1",
    ],
    [
      'immutable functions of columns',
      'update customer set note = lower(note) where merchant_id = $1 returning upper(note)',
    ],
    ['any function in a select', 'select extract(epoch from created_at) from customer where merchant_id = $1'],
    [
      'a call in a sub-select',
      'update customer set updated_at = moment.at from (select now() as at) as moment where merchant_id = $1',
    ],
    ['other tables', "update pgboss.queue set created_on = created_on + interval '1 s' returning now()"],
  ])('accepts %s', async (_, statement) => {
    expect(await scan.breachesOf(statement)).toEqual([]);
  });

  it.each([
    ['SET', 'update customer set note = id::text || created_at::text where merchant_id = $1'],
    ['SET', 'update customer set note = gen_random_uuid()::text where merchant_id = $1'],
    ['WHERE', "delete from customer where merchant_id = $1 and created_at + interval '1 s' < now()"],
    ['RETURNING', 'delete from customer where merchant_id = $1 returning now()'],
    ['WHERE', "delete from customer where merchant_id = $1 and case gender when 'MALE' then true end"],
    [
      'ON CONFLICT',
      'insert into product_tag (merchant_id, name) values ($1, $2) on conflict (merchant_id, id) do update set updated_at = now()',
    ],
    [
      'SET',
      'with written as (update customer set updated_at = coalesce(created_at, now()) where merchant_id = $1 returning id) select id from written',
    ],
  ])('finds in %s: %s', async (clause, statement) => {
    expect(await scan.breachesOf(statement)).toMatchObject([{ clause }]);
  });
});

describe('the place of a statement', () => {
  it('is the template from which it was made', () => {
    const statement = `update "webhook_delivery"
      set attempts = "webhook_delivery"."attempts" + 1, claimed_at = now(), attempt_log = x from "webhook"`;
    expect(sourcePlace(statement)).toMatch(/^src\/\w.*\.ts:\d+$/);
  });
});
