import { connectOnce } from '../src/db/connection/connect.ts';
import { openBenchDatabase } from './database.ts';
import { sentStatements } from './sent-statements.ts';
import { openShop } from './shop.ts';
import { cpuMs } from './usage.ts';
import type { Shop } from './workload.ts';
import { workloads } from './workloads.ts';

/**
 * `node bench/row-security.ts`: what row-level security would cost a read of one product by its id (W2N), on one
 * connection of the serving role. The statement of the service is repeated with another product each time:
 * - none: as the service sends it;
 * - policy: with a policy on every table, and the merchant set once for the session, which a pool cannot do;
 * - set_config: with the policy, and the merchant set before each read. Both statements are sent in one write without a
 * transaction, which is the least that a pool needs.
 * Compares the CPU time of the backend and of this process, because it depends less on other load than wall-clock time.
 */
const ROUNDS = 11;
const READS = 2_000;
const PRODUCTS = [20_000];
const VARIANTS = ['none', 'policy', 'set_config'] as const;

type Variant = (typeof VARIANTS)[number];
type SqlConnection = ReturnType<typeof connectOnce>;

const database = await openBenchDatabase(PRODUCTS);
const { shop } = await openShop(database.url, database.merchantId);
const [statement] = await sentStatements(
  database.url,
  shop,
  workloads.find(({ name }) => name === 'W2N')!,
);
const owner = connectOnce(database.url);
const client = connectOnce(database.servingUrl);
const costsMs: Record<Variant, number[]> = { none: [], policy: [], set_config: [] };
const [session] = await client`select set_config('app.merchant', ${shop.merchantId}, false), pg_backend_pid() as pid`;
try {
  await createPolicies();
  for (let round = -1; round < ROUNDS; round++) {
    for (const variant of round % 2 === 0 ? VARIANTS : VARIANTS.toReversed()) {
      await switchPolicies(variant === 'none' ? 'disable' : 'enable');
      const costMs = await measure(client, shop, variant);
      // Round -1 is the warm-up.
      if (round >= 0) costsMs[variant].push(costMs);
    }
  }
  for (const variant of VARIANTS)
    console.log(
      JSON.stringify({ variant, cpuMs: Math.round(median(costsMs[variant]) * 1_000) / 1_000, ofNone: ratios(variant) }),
    );
} finally {
  await Promise.all([owner.end(), client.end()]);
  await database.close();
}

async function tenantTables(): Promise<string[]> {
  const rows = await owner`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;
  return rows.map(({ name }) => String(name));
}

async function createPolicies(): Promise<void> {
  for (const table of await tenantTables()) {
    await owner.unsafe(
      `create policy merchant on ${table} using (merchant_id = (select current_setting('app.merchant')::uuid))`,
    );
  }
}

async function switchPolicies(action: 'enable' | 'disable'): Promise<void> {
  await owner.unsafe(
    (await tenantTables()).map((table) => `alter table ${table} ${action} row level security`).join('; '),
  );
}

async function measure(sql: SqlConnection, { products, merchantId }: Shop, variant: Variant): Promise<number> {
  const firstId = products[0]!.id;
  const { text, parameters } = statement!;
  const read = async (via: Pick<SqlConnection, 'unsafe'>, id: string) => {
    const [row] = await via.unsafe(text, parameters.map((value) => (value === firstId ? id : value)) as never[], {
      prepare: true,
    });
    if (!JSON.stringify(row).includes(id)) throw new Error(`${variant} does not find the product.`);
  };
  const before = await usedMs();
  for (let count = 0; count < READS; count++) {
    const { id } = products[count % products.length]!;
    const isSet = variant === 'set_config' ? sql`select set_config('app.merchant', ${merchantId}, false)` : null;
    await Promise.all([isSet, read(sql, id)]);
  }
  return ((await usedMs()) - before) / READS;
}

/** CPU time of this process and of the backend. */
async function usedMs(): Promise<number> {
  return (await cpuMs(process.pid)) + (await cpuMs(Number(session!.pid)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/**
 * Divides the costs of a variant by those of `none` in the same round. Returns the median ratio, with the second lowest
 * and the second highest of eleven rounds, between which the true median is with more than 95 % confidence.
 */
function ratios(variant: Variant): { median: number; from: number; to: number } {
  const sorted = costsMs[variant].map((costMs, round) => costMs / costsMs.none[round]!).toSorted((a, b) => a - b);
  const [middle, from, to] = [median(sorted), sorted[1]!, sorted.at(-2)!].map(
    (ratio) => Math.round(ratio * 1_000) / 1_000,
  );
  return { median: middle!, from: from!, to: to! };
}
