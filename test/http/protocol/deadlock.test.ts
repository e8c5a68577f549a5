import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { type Answer, codes, post } from '../../support/post.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let tagIds: string[];
beforeAll(async () => {
  database = await createDatabase();
  await detectDeadlocksSoon();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  tagIds = [];
  for (const name of ['one', 'two', 'three']) tagIds.push(await newTag(name));
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** PostgreSQL waits a second by default. The owner on a cluster may not set it. */
async function detectDeadlocksSoon(): Promise<void> {
  if (inject('isCluster')) return;
  const name = sql.identifier(new URL(database.ownerUrl).pathname.slice(1));
  await database.owner.execute(sql`alter database ${name} set deadlock_timeout = '100ms'`);
}

const manners: [string, (key: string) => Record<string, string>][] = [
  ['with keys', (key) => ({ 'idempotency-key': key })],
  ['in dry runs', () => ({ 'x-dry-run': 'true' })],
];

it.each(manners)(
  'of two documents that save the same records in opposite orders %s, one gets 503, and succeeds when it is repeated',
  async (manner, headers) => {
    const [first, second, third] = tagIds as [string, string, string];
    const documents = [
      { query: saveTags(manner, first, third, second), headers: headers('there') },
      { query: saveTags(manner, second, third, first), headers: headers('back') },
    ];
    const answers = await whileHeld(third, 2, () => documents.map(send));
    const refused = answers.findIndex(({ status }) => status !== 200);
    expect(answers.flatMap(codes)).toEqual(['SERVICE_UNAVAILABLE']);
    expect(answers.map(({ status }) => status)).toContain(503);
    expect(answers[refused]!.headers.get('retry-after')).toBe('1');
    expect(codes(await send(documents[refused]!))).toEqual([]);
  },
);

/** Holds a tag until all requests wait for it. */
async function whileHeld(id: string, count: number, start: () => Promise<Answer>[]): Promise<Answer[]> {
  const sent = await database.owner.transaction(async (transaction) => {
    await transaction.execute(
      sql`select from product_tag where merchant_id = ${ctx.merchantId} and id = ${id} for update`,
    );
    const answers = start();
    await waitForLocks(database.owner, count);
    return { answers };
  });
  return await Promise.all(sent.answers);
}

function saveTags(name: string, ...ids: string[]): string {
  const saves = ids.map((id, at) => `tag${at}: saveProductTag(input: { id: "${id}", name: "${name} ${id}" }) { id }`);
  return `mutation { ${saves.join(' ')} }`;
}

async function send({ query, headers }: { query: string; headers: Record<string, string> }): Promise<Answer> {
  return await post(`${api.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId, headers });
}

async function newTag(name: string): Promise<string> {
  const { data } = await api.call(ctx, 'saveProductTag', { input: { name } });
  return (data!['saveProductTag'] as { id: string }).id;
}
