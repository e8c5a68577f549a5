import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { issueAccessToken } from '../src/app/credentials/access-token.ts';
import { createApp } from '../src/app/create-app.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';

import { childProcesses, residentBytes } from '../test/image/children.ts';
import { noise } from '../test/image/pictures.ts';
import { percentilesOf } from './percentiles.ts';
import { loadCatalogue } from './catalogue.ts';
import { openBenchDatabase } from './database.ts';
import type { Uploaded, UploadPlan } from './upload-clients.ts';

const UPLOADS = 1_000;
const CLIENTS = 16;
const PRODUCTS = 2_000;
const BEFORE_MS = 15_000;
const SAMPLE_EVERY_MS = 200;
const SECRET_KEY = '0'.repeat(64);
const LIST =
  '{ listProduct(pagination: {limit: 50}) { count data { id name variants { sku prices { sellPrice } images { imageId } } } } }';

type Times = { p50Ms: number; p99Ms: number; requests: number };

/**
 * Uploads 1,000 pictures of 1 MB by 16 clients, while another client lists products. Prints errors, rates, memory and
 * the slowdown of the lists.
 */
const database = await openBenchDatabase();
const [merchantId] = (await loadCatalogue(database.url, [PRODUCTS])) as [string];
const connection = connect(database.url, { poolSize: 2, statementTimeoutMs: 60_000 });
const token = await createToken(connection.db);
const variantIds = await variantsOf(connection.db);
const picture = await noise(1_000, 640).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer();
const folder = await mkdtemp(join(tmpdir(), 'commerce-bench-images-'));
const service = await startService();

const before = await listUntil(sleep(BEFORE_MS));
const memory = watchMemory(service.child);
const startMs = performance.now();
const uploading = uploadAll();
const meanwhile = await listUntil(uploading);
const { statuses, times } = await uploading;
const seconds = (performance.now() - startMs) / 1_000;
console.log(
  JSON.stringify(
    {
      pictureBytes: picture.length,
      statuses,
      uploadsPerSecond: Math.round((UPLOADS / seconds) * 10) / 10,
      upload: latencyOf(times),
      listProduct: { before, meanwhile, p99Ratio: Math.round((meanwhile.p99Ms / before.p99Ms) * 100) / 100 },
      memoryMb: memory.stop(),
    },
    null,
    2,
  ),
);

service.child.kill('SIGTERM');
await connection.close();
await database.close();
await rm(folder, { recursive: true });

async function createToken(db: Database): Promise<string> {
  const app = await createApp(
    { db, merchantId, secretKey: createSecretKey(Buffer.from(SECRET_KEY, 'hex')) },
    { input: { name: 'Bench', scopes: ['write_products'] } },
  );
  return await issueAccessToken(
    { db, merchantId },
    { authorizedAppId: app.authorizedAppId, scopes: ['write_products'] },
  );
}

async function variantsOf(db: Database): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(
    `select id from variant where merchant_id = '${merchantId}' and not deleted order by id limit ${UPLOADS}`,
  );
  return rows.map(({ id }) => id);
}

async function startService(): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.servingUrl,
    SECRET_KEY,
    PORT: '0',
    STORAGE_URL: pathToFileURL(folder).href,
    LOG_LEVEL: 'info',
  };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg !== 'ready') continue;
    child.stdout.resume();
    return { child, url: url! };
  }
  throw new Error('The service ended before it was ready.');
}

/** Uploads in a separate thread, so that making requests does not slow down the measured lists. */
async function uploadAll(): Promise<Uploaded> {
  const workerData: UploadPlan = { url: service.url, token, variantIds, picture, uploads: UPLOADS, clients: CLIENTS };
  const [uploaded] = (await once(
    new Worker(new URL('upload-clients.ts', import.meta.url), { workerData }),
    'message',
  )) as [Uploaded];
  return uploaded;
}

async function listUntil(end: Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  const ended = { yes: false };
  void end.finally(() => (ended.yes = true));
  while (!ended.yes) {
    const start = performance.now();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/api/v1/admin/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: LIST }),
    });
    const { errors } = (await response.json()) as { errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    times.push(performance.now() - start);
  }
  return latencyOf(times);
}

function latencyOf(times: number[]): Times {
  const at = percentilesOf(times, 1);
  return { p50Ms: at(0.5), p99Ms: at(0.99), requests: times.length };
}

/** Memory of the service and of its decoder processes. */
function watchMemory({ pid }: ChildProcess): { stop(): Record<string, number> } {
  const most = { serviceAtStart: residentBytes(pid!), service: 0, decoders: 0 };
  const timer = setInterval(() => {
    most.service = Math.max(most.service, residentBytes(pid!));
    most.decoders = Math.max(
      most.decoders,
      childProcesses(pid).reduce((sum, child) => sum + residentBytes(child), 0),
    );
  }, SAMPLE_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Object.fromEntries(Object.entries(most).map(([name, bytes]) => [name, Math.round(bytes / 1e6)]));
    },
  };
}
