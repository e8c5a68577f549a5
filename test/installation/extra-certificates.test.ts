import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, type TestContext, vi } from 'vitest';
import { makeAuthority, makeCertificate } from '../outbound/certificate.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, run, startMain } from '../support/process.ts';
import { openTlsProxy } from '../support/tls-proxy.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let folder: DataDir;
beforeAll(async () => {
  database = await createDatabase();
  folder = await createDataDir();
});
afterAll(() => Promise.all([database.drop(), folder.remove()]));

it('the command trusts the authority that .env names, and without it doctor says how to trust it', async (test) => {
  const { url, authority } = await openServer(test);
  const refused = await doctor(url, '');
  expect(refused.stdout).toContain('unable to verify the first certificate');
  expect(refused.stdout).toContain('export NODE_EXTRA_CA_CERTS=/PATH/OF/AUTHORITY.pem');
  const trusted = await doctor(url, `NODE_EXTRA_CA_CERTS=${authority}\n`);
  expect(trusted.stdout).toContain('"name":"database","ok":true');
});

it('doctor shows the certificate if it is for another host', async (test) => {
  const { url, authority } = await openServer(test, 'other.example');
  const { stdout } = await doctor(url, `NODE_EXTRA_CA_CERTS=${authority}\n`);
  expect(stdout).toMatch(/openssl s_client -starttls postgres -connect localhost:\d+ .*and for localhost/);
});

it.each(['/none.pem', resolve('package.json')])('a file without certificates is refused: %s', async (path) => {
  const { code, stdout } = await doctor(database.url, `NODE_EXTRA_CA_CERTS=${path}\n`);
  expect(code).toBe(1);
  expect(stdout).toContain(`NODE_EXTRA_CA_CERTS names a file without certificates that can be read: ${path}`);
  expect(stdout).toContain('unset NODE_EXTRA_CA_CERTS');
});

it('the service trusts the authority if the variable is set after Node has started', async (test) => {
  const { url, authority } = await openServer(test);
  // As --env-file sets it: Node has read the variable before.
  const set = `data:text/javascript,process.env.NODE_EXTRA_CA_CERTS=${JSON.stringify(authority)}`;
  const service = await startMain({ ...environment(url), NODE_OPTIONS: `--import ${encodeURI(set)}` });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await service.stop();
});

/** TLS in front of the database with a certificate of a private authority, whose file is `authority`. */
async function openServer(test: TestContext, name = 'localhost') {
  const issuer = makeAuthority();
  const proxy = await openTlsProxy(test, database.url, 'verify-full', makeCertificate(name, { issuer }));
  const authority = join(folder.path, 'authority.pem');
  await writeFile(authority, issuer.cert);
  return { url: proxy.url.replace('127.0.0.1', 'localhost'), authority };
}

function environment(url: string): Record<string, string> {
  return { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: folder.path };
}

/** Runs `commerce doctor` in a folder with this `.env`. */
async function doctor(url: string, text: string) {
  await writeFile(join(folder.path, '.env'), text);
  return await run(resolve('src/cli/commerce.js'), ['doctor'], environment(url), folder.path).finished;
}
