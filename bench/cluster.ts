import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import type { Disturbance, LedgerPlace } from '../test/worker/webhooks/ledger-place.ts';
import { LedgerRun, type Span } from '../test/worker/webhooks/ledger-run.ts';
import { killsAt } from './history-kills.ts';
import { percentilesOf } from './percentiles.ts';
import { killsOnCluster } from './stock-kills.ts';

/**
 * Changes customers of one merchant on a Citus cluster, by requests to two service processes and by SQL. Two worker
 * processes deliver the webhooks. At the end it prints as JSON how many committed changes were delivered, lost or
 * repeated.
 *
 * `node bench/cluster.ts ledger CHANGES RESTART…` kills each of the four processes once while the changes are made, and
 * runs each RESTART, a shell command that kills a node of the cluster and starts it again.
 * `node bench/cluster.ts stock ENTRIES RESTART…` does on the cluster what `node bench/stock.ts kills` does on one server:
 * it sends movements and holds of stock to two processes. Where that kills PostgreSQL, this runs the next RESTART.
 * `node bench/cluster.ts history CHANGES` does on the cluster what `node bench/history.ts kills` does on one server.
 * `node bench/cluster.ts moves CHANGES [HOST:PORT]` moves shards while the changes are made. It gives the merchant a
 * shard of its own, and moves that shard to another node and back. If HOST:PORT is given, it also adds this node and
 * rebalances the shards, and then drains the node and removes it.
 *
 * CITUS_URL is the URL of a database of the cluster for the owner of its tables. CITUS_SERVING_URL is its URL for the
 * serving role, and is the same as CITUS_URL by default. CITUS_ADMIN_URL is its URL for a superuser, and is only needed
 * by `moves` with HOST:PORT.
 */
const [part, changes = '2000', ...rest] = process.argv.slice(2);
const ownerUrl = required('CITUS_URL');
const servingUrl = process.env.CITUS_SERVING_URL ?? ownerUrl;
const ROLES = ['api', 'api', 'worker', 'worker'] as const;
const SERVICE_KILLS = 4;
/** Copies shards while they are written, by logical replication. */
const ONLINE = 'force_logical';
/**
 * Writes to the shard wait. Splitting it while it is written hangs ("publisher did not send replica identity column",
 * citusdata/citus#6790).
 */
const WRITES_WAIT = 'block_writes';

await migrate(ownerUrl, servingUrl);
if (part === 'ledger') await ledger(rest);
else if (part === 'moves') await moves(rest[0] ?? '');
else if (part === 'stock') await killsOnCluster(placeWith(rest.map(restart)), Number(changes));
else if (part === 'history') await killsAt(placeWith([]), Number(changes));
else throw new Error('Say what to run: ledger, moves, stock or history.');

function restart(command: string): Disturbance {
  return async () => await promisify(execFile)('bash', ['-c', command]);
}

async function ledger(commands: readonly string[]): Promise<void> {
  const run = await startRun(commands.map(restart));
  try {
    const databaseDisturbances = commands.length;
    print('ledger', await run.play({ changes: Number(changes), serviceKills: SERVICE_KILLS, databaseDisturbances }));
  } finally {
    await run.stop();
  }
}

async function moves(spare: string): Promise<void> {
  const admin = connectOnce(spare ? required('CITUS_ADMIN_URL') : ownerUrl);
  const steps = stepsOf(admin, spare);
  const run = await startRun(Object.values(steps));
  try {
    const databaseDisturbances = Object.keys(steps).length;
    const result = await run.play({ changes: Number(changes), serviceKills: 0, databaseDisturbances });
    print('moves', { ...result, nodes: await shardsByNode(admin) });
    print('beside', pauses(run, null));
    for (const [index, name] of Object.keys(steps).entries()) print(name, pauses(run, run.disturbed[index]!));
  } finally {
    await run.stop();
    await admin.end();
  }
}

async function startRun(disturbances: readonly Disturbance[]): Promise<LedgerRun> {
  return await LedgerRun.start(ROLES, placeWith(disturbances));
}

function placeWith(disturbances: readonly Disturbance[]): LedgerPlace {
  return { url: ownerUrl, servingUrl, disturbances, remove: async () => {} };
}

function stepsOf(admin: postgres.Sql, spare: string): Record<string, Disturbance> {
  const move = async (merchantId: string): Promise<unknown> =>
    await admin`
      with here as (
        select p.shardid, n.nodename, n.nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('merchant', ${merchantId}::uuid)
      ), there as (
        select n.nodename, n.nodeport from pg_dist_node n, here
        where n.shouldhaveshards and (n.nodename, n.nodeport) <> (here.nodename, here.nodeport)
        order by n.nodeid limit 1
      )
      select citus_move_shard_placement(here.shardid, here.nodename, here.nodeport, there.nodename, there.nodeport, ${ONLINE})
      from here, there`;
  return {
    isolate: async (merchantId) =>
      await admin`select isolate_tenant_to_new_shard('merchant', ${merchantId}::uuid, 'CASCADE', ${WRITES_WAIT})`,
    'move away': move,
    'move back': move,
    ...(spare && spareNodeSteps(admin, spare)),
  };
}

function spareNodeSteps(admin: postgres.Sql, spare: string): Record<string, Disturbance> {
  const [host = '', port = ''] = spare.split(':');
  return {
    'add a node': async () => {
      await admin`select citus_add_node(${host}, ${port}::int)`;
      await admin`select citus_rebalance_start(shard_transfer_mode => ${ONLINE})`;
      await admin`select citus_rebalance_wait()`;
    },
    'remove a node': async () => {
      await admin`select citus_drain_node(${host}, ${port}::int, shard_transfer_mode => ${ONLINE})`;
      await admin`select citus_remove_node(${host}, ${port}::int)`;
    },
  };
}

/** The times of the changes that were under way during a disturbance, or of those during none. */
function pauses(run: LedgerRun, during: Span | null): object {
  const overlap = (one: Span, other: Span): boolean => one.fromMs <= other.toMs && other.fromMs <= one.toMs;
  const chosen = [...run.changed].filter(([, span]) =>
    during ? overlap(span, during) : !run.disturbed.some((other) => overlap(span, other)),
  );
  const arrivals = run.arrivals();
  return {
    ...(during && { tookMs: during.toMs - during.fromMs }),
    changes: chosen.length,
    changeMs: spread(chosen.map(([, { fromMs, toMs }]) => toMs - fromMs)),
    commitToReceiverMs: spread(chosen.map(([name, { toMs }]) => Math.max(0, (arrivals.get(name) ?? Infinity) - toMs))),
  };
}

function spread(timesMs: readonly number[]): object {
  if (timesMs.length === 0) return {};
  const at = percentilesOf(timesMs, 0);
  return { p50: at(0.5), p99: at(0.99), max: Math.max(...timesMs) };
}

async function shardsByNode(admin: postgres.Sql): Promise<Record<string, number>> {
  const rows = await admin<{ node: string; count: number }[]>`
    select nodename || ':' || nodeport as node, count(*)::int from citus_shards
    where table_name = 'merchant'::regclass group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ node, count }) => [node, count]));
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}.`);
  return value;
}

function print(name: string, figures: object): void {
  process.stdout.write(`${JSON.stringify({ [name]: figures })}\n`);
}
