import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { actionsOf, register } from '../webhook/ledger.ts';

/** Enough that some get the id of their last transaction again, although other transactions take ids in between. */
const CUSTOMERS = 20;

type Node = { host: string; port: number };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Citus moves shards by logical replication. `node bench/cluster.ts moves` moves them under load. */
it('every table is logged and has a replica identity, so that its shards can be moved while they are written', async () => {
  const rows = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relpersistence <> 'p'
      or not exists (
        select from pg_index i
        where i.indrelid = c.oid and case c.relreplident when 'd' then i.indisprimary else i.indisreplident end)`);
  expect(rows.map(({ name }) => name)).toEqual([]);
});

/** Each node counts transaction ids by itself. */
it(
  'each change has an event after a move, also if its transaction has the id of the one before it',
  { timeout: 180_000 },
  async () => {
    const nodes = await workers();
    const nextIds = await Promise.all(nodes.map(nextTransactionId));
    const ahead = nodes[nextIds[0]! > nextIds[1]! ? 0 : 1]!;
    const behind = nodes.find((node) => node !== ahead)!;
    const ctx = await createContextOn(ahead);
    await register(ctx, ['store/customer/created', 'store/customer/updated']);
    for (let n = 0; n < CUSTOMERS; n++)
      await database.db.execute(sql`
      insert into customer (merchant_id, first_name, last_name) values (${ctx.merchantId}, ${String(n)}, 'before')`);
    const before = await transactionIds(ctx);
    await move(ctx, ahead, behind);
    await useTransactionIds(behind, before[0]!);
    for (let n = 0; n < CUSTOMERS; n++)
      await database.db.execute(sql`
      update customer set last_name = 'after' where merchant_id = ${ctx.merchantId} and first_name = ${String(n)}`);
    const after = await transactionIds(ctx);
    expect(after.filter((id, n) => id === before[n]).length).toBeGreaterThan(0);
    expect(await actionsOf(ctx)).toEqual([
      ...Array<string>(CUSTOMERS).fill('created 1'),
      ...Array<string>(CUSTOMERS).fill('updated 2'),
    ]);
  },
);

async function workers(): Promise<Node[]> {
  return await database.db.execute<Node>(sql`
    select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid limit 2`);
}

async function createContextOn({ host, port }: Node): Promise<Context> {
  for (;;) {
    const ctx = await createContext(database.db);
    const [place] = await database.db.execute<Node>(sql`
      select n.nodename as host, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('customer', ${ctx.merchantId}::uuid)`);
    if (place!.host === host && place!.port === port) return ctx;
  }
}

async function move({ merchantId }: Context, from: Node, to: Node): Promise<void> {
  const owner = connectOnce(database.ownerUrl);
  await owner`
    select citus_move_shard_placement(
      get_shard_id_for_distribution_column('customer', ${merchantId}::uuid), ${from.host}, ${from.port},
      ${to.host}, ${to.port}, 'block_writes')`;
  await owner.end();
}

/** The id of the last transaction of each customer, in the order of creation. */
async function transactionIds(ctx: Context): Promise<bigint[]> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select r.transaction_id::text as id from webhook_record r
    join customer c on c.merchant_id = ${ctx.merchantId} and c.id = r.record_id
    where r.merchant_id = ${ctx.merchantId} order by c.first_name::int`);
  return rows.map(({ id }) => BigInt(id));
}

async function nextTransactionId(node: Node): Promise<bigint> {
  const client = connectTo(node);
  const [row] = await client<{ id: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as id`;
  await client.end();
  return BigInt(row!.id);
}

/** Uses up transaction ids of the node until its next transaction gets the id `next`. */
async function useTransactionIds(node: Node, next: bigint): Promise<void> {
  const client = connectTo(node);
  await client.unsafe(`
    do $$ begin while pg_snapshot_xmax(pg_current_snapshot())::text::bigint < ${next} loop perform pg_current_xact_id(); commit; end loop; end $$`);
  await client.end();
}

function connectTo({ host, port }: Node): ReturnType<typeof connectOnce> {
  return connectOnce(Object.assign(new URL(database.ownerUrl), { hostname: host, port: String(port) }).href);
}
