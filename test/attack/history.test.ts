import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts, LONG_DESCRIPTION_LENGTH } from './support/catalogue.ts';

const PRODUCTS = 200;
/** Of the first product. Each has the longest description before and after it. */
const CHANGES = 1_200;
const DAY_MS = 24 * 60 * 60 * 1_000;
const REQUESTS = 5;
/** 200 MiB at rest, and several times the 16 MiB that a request may read. Without this limit eight requests took 1,900. */
const MAX_MEMORY_MIB = 900;
const WATCHED_EVERY_MS = 50;
const TEST_TIMEOUT_MS = 180_000;

let service: AttackedService;
let ids: string[];
const since = Date.now() - 30 * DAY_MS;
const changeSetOfAll = crypto.randomUUID();
beforeAll(async () => {
  service = await startAttackedService();
  const { merchantId } = service.attacker.ctx;
  const { owner } = service.database;
  await insertProducts(owner, { merchantId, count: PRODUCTS, descriptionLength: LONG_DESCRIPTION_LENGTH });
  ids = (
    await owner.execute<{ id: string }>(sql`select id from product where merchant_id = ${merchantId} order by id`)
  ).map(({ id }) => id);
  await insertHistory();
}, 120_000);
afterAll(() => service.stop());

/** Changes of the first product, one a minute, and a later change of all products by one change set. */
async function insertHistory(): Promise<void> {
  const { merchantId } = service.attacker.ctx;
  await service.database.owner.transaction(async (transaction) => {
    const run = async (statement: ReturnType<typeof sql>): Promise<void> => void (await transaction.execute(statement));
    await run(sql`set local session_replication_role = replica`);
    await run(
      sql`update merchant set history_since = to_timestamp(${since / 1_000}) where merchant_id = ${merchantId}`,
    );
    await run(sql`
      create temporary table made on commit drop as
      select ${ids[0]}::uuid as record_id, uuid_v7() as set_id, n as number, uuid_v7() as transaction_id,
        now() - interval '1 day' + n * interval '1 minute' as at
      from generate_series(1, ${CHANGES}::int) n
      union all
      select id, ${changeSetOfAll}::uuid, ${CHANGES + 1}::int, uuid_v7(), now() from product where merchant_id = ${merchantId}`);
    await run(sql`
      insert into change_set (merchant_id, id, operation, created_at)
      select distinct on (set_id) ${merchantId}::uuid, set_id, 'saveProduct', at from made`);
    await run(sql`
      insert into change
        (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, bytes, created_at)
      select ${merchantId}, uuid_v7_at(at), 'PRODUCT', record_id, number, 'UPDATED', transaction_id, set_id,
        ${LONG_DESCRIPTION_LENGTH * 4}::int, at from made`);
    await run(sql`
      insert into change_part
        (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after)
      select ${merchantId}, transaction_id, record_id, 'PRODUCT', 1, '', 'UPDATED',
        json_build_object('description', repeat('Ю', ${LONG_DESCRIPTION_LENGTH}::int)),
        json_build_object('description', repeat('Я', ${LONG_DESCRIPTION_LENGTH}::int)) from made`);
    await run(sql`analyze change, change_part, change_set`);
  });
}

type Request = { query: string; variables: object };

const asOf = (asked: readonly string[], at: number): Request => ({
  query: 'query ($ids: [String!], $at: Timestamp) { listProduct(id: {in: $ids}, asOf: $at) { count } }',
  variables: { ids: asked, at },
});
const changes = (): Request => ({
  query: `query ($id: String) { listChange(recordId: {eq: $id}, pagination: {limit: 200}) {
    data { members { path before after } }
  } }`,
  variables: { id: ids[0] },
});
const revert = (): Request => ({
  query: 'mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { recordCount } }',
  variables: { input: { changeSetId: changeSetOfAll } },
});

it.each([
  ['a product before 300 MB of changes', () => asOf(ids.slice(0, 1), since + DAY_MS), ['ARGUMENT_VALIDATION_ERROR']],
  ['26 MB of products as they were', () => asOf(ids, Date.now() - 1), ['ARGUMENT_VALIDATION_ERROR']],
  ['13 MB of products as they were', () => asOf(ids.slice(0, PRODUCTS / 2), Date.now() - 1), []],
  ['200 changes with 52 MB of values', changes, ['ARGUMENT_VALIDATION_ERROR']],
  ['a revert with 52 MB of conflicts', revert, ['CONFLICT']],
] as const)(
  'five clients that ask for %s delay nobody else',
  async (name, request, expected) => {
    const answers: Answer[] = [];
    let mostMib = 0;
    const watch = setInterval(() => (mostMib = Math.max(mostMib, service.memoryMib())), WATCHED_EVERY_MS);
    const report = await attack(name, service, async () => {
      const ask = async (): Promise<void> => void answers.push(await service.attacker.send(request()));
      await Promise.all(Array.from({ length: REQUESTS }, ask));
    });
    clearInterval(watch);
    console.log(`${name}: at most ${mostMib} MiB`);
    expectUnharmed(report);
    for (const answer of answers) expect(codes(answer)).toEqual(expected);
    expect(mostMib).toBeLessThan(MAX_MEMORY_MIB);
  },
  TEST_TIMEOUT_MS,
);
