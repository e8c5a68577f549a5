import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectOnce } from '../src/db/connection/connect.ts';
import { ROOT } from './child.ts';
import { type BenchDatabase, openBenchDatabase } from './database.ts';
import { startService } from './service.ts';
import { SECRET_KEY_HEX } from './shop.ts';
import { cpuMs, openPostgresUsage, residentMiB, waitUntilIdle } from './usage.ts';

const PRODUCTS = Number(process.argv[2] ?? 10_000);
const FORMATS = (process.argv[3] ?? 'jsonl,csv').split(',');
const SAMPLE_MS = 200;
/** The number of times at which resident memory is printed, evenly distributed over the run. */
const SHOWN_SAMPLES = 6;

/**
 * `node bench/files.ts [PRODUCTS] [FORMATS]` exports a shop with the command, imports the file into a new merchant,
 * imports it again, and exports the new merchant, beside a running service. Prints for each command the time, products
 * per second, CPU time of the command and of PostgreSQL, and the command's resident memory over time.
 */
const database = await openBenchDatabase([PRODUCTS]);
const service = await startService(database.servingUrl);
const postgresMs = await openPostgresUsage(database.url);
const folder = await mkdtemp(join(tmpdir(), 'commerce-bench-'));
const environment = {
  ...process.env,
  DATABASE_URL: database.servingUrl,
  SECRET_KEY: SECRET_KEY_HEX,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
};
try {
  for (const format of FORMATS) await measureFormat(format, database);
} finally {
  await rm(folder, { recursive: true });
  await service.stop();
  await database.close();
}

async function measureFormat(format: string, { url, merchantId }: BenchDatabase): Promise<void> {
  const [first, last] = [join(folder, `first.${format}`), join(folder, `last.${format}`)];
  await measure(`export ${format}`, ['export', first, '--merchant', merchantId]);
  console.log(`  ${((await stat(first)).size / 2 ** 20).toFixed(1)} MiB`);
  const copy = await createMerchant(url);
  await measure(`import ${format}`, ['import', first, '--merchant', copy]);
  await waitUntilIdle(url);
  await measure(`import ${format} again`, ['import', first, '--merchant', copy, '--keep', 'sheet']);
  await measure(`export ${format} of the import`, ['export', last, '--merchant', copy]);
}

/** A merchant with the price list and the sales channel of the shop, because an import does not create these. */
async function createMerchant(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)('node', ['src/cli/admin.ts', 'merchant', 'create', '--json'], {
    cwd: ROOT,
    env: environment,
  });
  const { merchantId } = JSON.parse(stdout) as { merchantId: string };
  const client = connectOnce(url);
  await client`insert into price_list (merchant_id, name, currency, currency_code, currency_symbol) values (${merchantId}, 'Wholesale', 'EUR', 'EUR', '€')`;
  await client`insert into sales_channel (merchant_id, name, type) values (${merchantId}, 'Online store', 'STOREFRONT')`;
  await client.end();
  return merchantId;
}

async function measure(name: string, args: string[]): Promise<void> {
  const postgresBefore = await postgresMs();
  const begun = performance.now();
  const command = spawn('node', ['src/cli/admin.ts', ...args, '--json'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(command, 'exit');
  const samples: number[] = [];
  let cpu = 0;
  while (command.exitCode === null) {
    samples.push(await residentMiB(command.pid!).catch(() => 0));
    cpu = Math.max(cpu, await cpuMs(command.pid!).catch(() => 0));
    await Promise.race([ended, wait(SAMPLE_MS)]);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const postgres = ((await postgresMs()) ?? 0) - (postgresBefore ?? 0);
  const resident = samples.filter((sample) => sample > 0);
  const shown = Array.from({ length: SHOWN_SAMPLES }, (_, n) =>
    resident[Math.floor(((n + 0.5) / SHOWN_SAMPLES) * resident.length)]!.toFixed(0),
  );
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${(PRODUCTS / seconds).toFixed(0)} products/s, CPU of the command ${(cpu / 1_000).toFixed(1)} s, ` +
      `of PostgreSQL ${(postgres / 1_000).toFixed(1)} s, resident ${shown.join(' ')} MiB, at most ${Math.max(...resident).toFixed(0)}`,
  );
  if (command.exitCode !== 0) throw new Error(`the command ended with ${command.exitCode}`);
}
