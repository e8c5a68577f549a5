import { join } from 'node:path';
import { leaseEmbeddedPostgres } from '../src/db/embedded-lease.ts';
import { migrate } from '../src/db/migrate.ts';

const DATA_DIR = join(import.meta.dirname, '../.bench');

export type BenchDatabase = { url: string; close(): Promise<void> };

/** The database of DATABASE_URL, or an embedded one that is kept between runs, with this version's tables. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL;
  const lease = given ? null : await leaseEmbeddedPostgres(DATA_DIR);
  const url = given ?? lease!.url;
  await migrate(url);
  return { url, close: async () => void (await lease?.release()) };
}
