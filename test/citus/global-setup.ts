import { createSecretKey, randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { connectForWork } from '../../src/db/connection/connect-for-work.ts';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { acrossUrlOf, servingUrlOf } from './cluster-url.ts';
import { LEFT_OUT } from './left-out.ts';

/** Shards of each table: enough for rows on both workers, and few enough that a migration takes seconds. */
const SHARDS = 4;

/**
 * One migrated database for all files: a database of a cluster cannot be copied from a template. Each file works with
 * merchants of its own.
 */
export default async function setup(project: TestProject): Promise<void> {
  const ownerUrl = process.env.CITUS_URL;
  if (!ownerUrl) throw new Error('Set CITUS_URL to an empty or a migrated database of a cluster, as its owner.');
  for (const [files, reason] of Object.entries(LEFT_OUT)) process.stderr.write(`left out: ${files}: ${reason}\n`);
  const servingUrl = servingUrlOf(ownerUrl);
  await limitShards(ownerUrl);
  const acrossUrl = acrossUrlOf(ownerUrl);
  await migrate(ownerUrl, servingUrl, acrossUrl);
  await openFirstMerchant(servingUrl, acrossUrl);
  project.provide('serverUrl', ownerUrl);
  project.provide('servingUrl', servingUrl);
  project.provide('acrossUrl', acrossUrl);
  project.provide('templateName', '');
  project.provide('isCluster', true);
}

/** Creates the demo merchant first: commands without `--merchant`, as in the documentation, use the first merchant. */
async function openFirstMerchant(servingUrl: string, acrossUrl: string): Promise<void> {
  const { close, ...ctx } = await connectForWork(servingUrl, { acrossUrl, poolSize: 1, statementTimeoutMs: 20_000 });
  try {
    await createDemo({ ...ctx, secretKey: createSecretKey(randomBytes(32)) });
  } finally {
    await close();
  }
}

async function limitShards(url: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.unsafe(`alter database "${new URL(url).pathname.slice(1)}" set citus.shard_count = ${SHARDS}`);
  } finally {
    await client.end();
  }
}
