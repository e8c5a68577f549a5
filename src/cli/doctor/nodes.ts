import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { AcrossMerchants } from '../../db/connection/across-merchants.ts';
import type { Database } from '../../db/connection/database.ts';
import { isStatementTimeout } from '../../db/errors/database-error.ts';
import { argument, Broken, type Check } from './check.ts';
import { ACROSS_TIMEOUT_MS, type Subject } from './subject.ts';
import { ownCommand } from '../../installation/own-command.ts';

const LARGEST_SHOWN = 3;

export const nodesCheck: Check = {
  name: 'nodes',
  tried: 'reach each node of the database, and count the products of each merchant',
  repair: `psql "$DATABASE_URL" -c 'select * from citus_check_cluster_node_health()'`,
  run: nodes,
};

type Node = { host: string; port: number; shards: number; megabytes: number };

async function nodes(subject: Subject): Promise<string> {
  const db = await subject.db();
  const [row] = await readRows({ db }, { isCluster: column.boolean }, sql`select has_citus() as "isCluster"`);
  const { isCluster } = row!;
  const places = isCluster ? await clusterNodes(db) : 'one server';
  return `${places}; ${await largestMerchants(await subject.across(), isCluster)}`;
}

async function clusterNodes(db: Database): Promise<string> {
  await refuseUnreachable(db);
  await refuseLocalTables(db);
  const rows = await readRows(
    { db },
    { host: column.text, port: column.number, shards: column.number, megabytes: column.number },
    sql`
    select n.nodename as host, n.nodeport as port,
      count(s.shardid) filter (where s.table_name = 'merchant'::regclass)::int as shards,
      (coalesce(sum(s.shard_size), 0) / 1000000)::int as megabytes
    from pg_dist_node n left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport
    where n.noderole = 'primary' group by 1, 2, n.groupid order by n.groupid`,
  );
  const [coordinator, ...workers] = rows.map((node) => `${node.host}:${node.port} ${sizeOf(node)}`);
  return `coordinator ${coordinator}, ${workers.length} workers: ${workers.join(', ')}`;
}

function sizeOf({ shards, megabytes }: Node): string {
  return shards === 0 ? '(no shards)' : `(${shards} shards of each table, ${megabytes} MB)`;
}

/**
 * Throws if a node does not answer the coordinator. Disabled nodes are not looked for: Citus disables no node with
 * shards.
 */
async function refuseUnreachable(db: Database): Promise<void> {
  const failed = await readRows(
    { db },
    { host: column.text, port: column.number, reason: column.text },
    sql`
    select nodename as host, nodeport as port, result as reason
    from run_command_on_workers('select 1') where not success`,
  );
  for (const { host, port, reason } of failed)
    throw new Broken(
      `the coordinator cannot reach ${host}:${port}: ${reason.split('\n')[0]}`,
      `pg_isready -h ${argument(host)} -p ${port}   # until it accepts connections; its merchants get 503 until then`,
    );
}

/** Throws if a table is not distributed. Tables that were created before the extension stay on the coordinator. */
async function refuseLocalTables(db: Database): Promise<void> {
  const rows = await readRows(
    { db },
    { name: column.text },
    sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid) order by 1`,
  );
  if (rows.length > 0)
    throw new Broken(
      `${rows.length} tables are not distributed, such as ${rows[0]!.name}: they are older than the extension citus`,
      `${ownCommand('migrate')}   # in a new database that has the extension; see docs/several-machines.md`,
    );
}

export async function largestMerchants(across: AcrossMerchants, isCluster: boolean): Promise<string> {
  const node = isCluster
    ? sql`(select n.nodename || ':' || n.nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('product', counted.merchant_id) limit 1)`
    : sql`null::text`;
  const rows = await unlessTooLong(
    across.rows(
      'largestMerchants',
      { merchantId: column.text, products: column.number, node: column.nullable(column.text) },
      sql`
      with counted as materialized (
        select merchant_id, count(*)::int as products from product
        group by merchant_id order by products desc limit ${sql.raw(String(LARGEST_SHOWN))}
      )
      select merchant_id as "merchantId", products, ${node} as node from counted order by products desc`,
    ),
  );
  if (rows === null) return `products not counted, as it takes longer than ${ACROSS_TIMEOUT_MS / 1_000} s`;
  if (rows.length === 0) return 'no products';
  const largest = rows.map(
    ({ merchantId, products, node }) => `${merchantId} ${products}${node === null ? '' : ` on ${node}`}`,
  );
  return `the most products: ${largest.join(', ')}`;
}

/** Null if the time limit of the statement has cancelled it. */
async function unlessTooLong<T>(counting: Promise<T>): Promise<T | null> {
  try {
    return await counting;
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}
