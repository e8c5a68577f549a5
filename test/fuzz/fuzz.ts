import { join } from 'node:path';
import { Command } from 'commander';
import { connect } from '../../src/db/connection/connect.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { createDataDir, startMain } from '../support/process.ts';
import { CAMPAIGN_ENVIRONMENT, type Progress, runCampaign } from './campaign.ts';
import { openTarget } from './shop.ts';

/** Compares the memory of the last quarter of a run with that of the second quarter, in which caches are full. */
const GROWTH_MAX = 1.15;
const GROWTH_FREE_MIB = 48;

type Options = { seed: number; requests: number; connections: number };

await new Command('fuzz')
  .description(
    'sends generated requests to the service in a process of its own, with an embedded PostgreSQL, and fails when one does it harm',
  )
  .option(
    '--seed <number>',
    'the same seed gives the same requests; without it, one of the clock',
    Number,
    Math.floor(Date.now() / 1000) % 1_000_000_000,
  )
  .option('--requests <number>', 'how many', Number, 100_000)
  .option('--connections <number>', 'requests at once; with 1 they come in the same order too', Number, 4)
  .action(run)
  .parseAsync();

async function run(options: Options): Promise<void> {
  const start = performance.now();
  const dataDir = await createDataDir();
  const postgres = await startEmbeddedPostgres(join(dataDir.path, 'database'), { fsync: 'off' });
  const service = await startMain({
    DATABASE_URL: postgres.servingUrl,
    MIGRATION_DATABASE_URL: postgres.url,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dataDir.path,
    ...CAMPAIGN_ENVIRONMENT,
  });
  const connection = connect(postgres.url, { poolSize: 1, statementTimeoutMs: 15_000 });
  try {
    const target = await openTarget(service.url, connection.db);
    const report = await runCampaign(target, service, { ...options, onProgress: tell });
    const { faults, residentMib, ...counts } = report;
    const memory = {
      secondQuarterMib: medianOf(residentMib, 1),
      lastQuarterMib: medianOf(residentMib, 3),
      mostMib: Math.max(...residentMib),
    };
    const isFlat = memory.lastQuarterMib <= memory.secondQuarterMib * GROWTH_MAX + GROWTH_FREE_MIB;
    console.log(
      JSON.stringify(
        { ...options, seconds: Math.round((performance.now() - start) / 1000), ...counts, memory, isFlat, faults },
        null,
        2,
      ),
    );
    if (faults.length > 0 || !isFlat) process.exitCode = 1;
  } finally {
    await connection.close();
    const { code } = await service.stop();
    if (code !== 0) process.exitCode = 1;
    await postgres.stop();
    await dataDir.remove();
  }
}

function tell({ sent, found, residentMib }: Progress): void {
  for (const fault of found) console.error(JSON.stringify(fault));
  if (sent % 2_000 === 0) console.error(`${sent} sent, ${residentMib} MiB`);
}

/** The median of a quarter of the run, counted from 0. */
function medianOf(values: number[], quarter: number): number {
  const part = values
    .slice(Math.floor((values.length * quarter) / 4), Math.max(1, Math.floor((values.length * (quarter + 1)) / 4)))
    .sort((a, b) => a - b);
  return part[Math.floor(part.length / 2)] ?? values.at(-1)!;
}
