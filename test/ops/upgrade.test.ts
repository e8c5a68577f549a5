import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, expect, it, vi } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { post } from '../support/post.ts';
import { run, type RunningService, startMain } from '../support/process.ts';
import { needs, shell } from '../support/programs.ts';
import { freePort } from '../support/free-port.ts';

vi.setConfig({ testTimeout: 180_000 });

const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

it('upgrades two nodes one after the other, without a failed request of clients that try both', async (context) => {
  await needs(context, 'curl', 'curl');
  const database = await createDatabase();
  opened.push(() => database.drop());
  const env = { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64) };
  const token = await newToken(env);
  const nodes = await Promise.all(['api-1', 'api-2'].map(async (name) => await startNode(name, env)));
  opened.push(async () => await Promise.all(nodes.map(async ({ current }) => await current().stop())));

  const folder = await mkdtemp(join(tmpdir(), 'commerce-upgrade-'));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  // Replaces `systemctl restart`: tells the test to restart the node, and waits until it has restarted.
  const restart = join(folder, 'restart');
  await writeFile(restart, `#!/bin/sh\n: > ${folder}/$1.wanted\nuntil [ -e ${folder}/$1.done ]; do sleep 0.1; done\n`, {
    mode: 0o755,
  });
  // As if the files of all functions had changed, so that the migration replaces their triggers under load.
  await database.owner.execute(sql`update drizzle.applied_function set hash = ''`);
  const load = saveTags(
    nodes.map(({ url }) => url),
    token,
  );
  const upgrade = shell(
    'ops/upgrade.sh',
    nodes.map(({ name, url }) => `${name}=${url}`),
    {
      env: {
        ...env,
        MIGRATION_DATABASE_URL: database.ownerUrl,
        PATH: `${process.execPath.replace(/\/node$/, '')}:${process.env.PATH}`,
        RESTART: restart,
      },
    },
  );
  const restarted: string[] = [];
  const isDone = upgrade.then(() => true);
  for (const { name, restart: restartNode } of nodes) {
    await vi.waitFor(async () => await shell('test', ['-e', join(folder, `${name}.wanted`)]), { timeout: 60_000 });
    restarted.push(name);
    await restartNode();
    await writeFile(join(folder, `${name}.done`), '');
  }
  expect(await isDone).toBe(true);
  expect((await upgrade).stdout).toMatch(/api-1 is ready\napi-2 is ready\n$/);
  const { saved, failed } = await load.stop();
  expect(failed).toEqual([]);
  expect(restarted).toEqual(['api-1', 'api-2']);
  const rows = await database.db.execute<{ name: string }>('select name from product_tag');
  expect(rows.map(({ name }) => name).toSorted()).toEqual(saved.toSorted());
  expect(saved.length).toBeGreaterThan(20);
});

it('refuses units that run in another folder, before it migrates', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-systemctl-'));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'systemctl'), `#!/bin/sh\n[ "$1" = show ] && echo /opt/commerce\n`, { mode: 0o755 });
  // A migration would print that it needs DATABASE_URL.
  const env = { PATH: `${folder}:${process.env.PATH}` };
  await expect(shell('ops/upgrade.sh', ['commerce@api-1=http://127.0.0.1:1'], { env })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'commerce@api-1 runs in /opt/commerce, which is not this folder: see the top of ops/upgrade.sh\n',
  });
});

it('says how to install the unit of this version where another one is installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-systemctl-'));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'commerce@.service');
  await writeFile(installed, '[Unit]\n');
  const systemctl = `#!/bin/sh\ncase $2 in *WorkingDirectory) pwd;; *) echo ${installed};; esac\n`;
  await writeFile(join(folder, 'systemctl'), systemctl, { mode: 0o755 });
  // In place of the migration: the script ends here.
  await writeFile(join(folder, 'node'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const upgrade = async () =>
    await shell('ops/upgrade.sh', ['commerce@api-1=http://127.0.0.1:1'], {
      env: { PATH: `${folder}:${process.env.PATH}` },
    }).catch((error: unknown) => error);
  const advice = `cp ops/systemd/commerce@.service ${installed} && systemctl daemon-reload`;
  expect(await upgrade()).toMatchObject({ code: 3, stderr: expect.stringContaining(advice) });
  await copyFile('ops/systemd/commerce@.service', installed);
  expect(await upgrade()).toMatchObject({ code: 3, stderr: '' });
});

async function startNode(name: string, env: Record<string, string>) {
  const port = String(await freePort());
  let service: RunningService = await startMain({ ...env, PORT: port });
  return {
    name,
    url: service.url,
    current: () => service,
    restart: async () => {
      expect((await service.stop()).code).toBe(0);
      service = await startMain({ ...env, PORT: port });
    },
  };
}

/** Saves tags one after the other, each with a key, and sends a request to the other node if one does not answer. */
function saveTags(urls: string[], token: string) {
  const [saved, failed]: [string[], unknown[]] = [[], []];
  let isStopped = false;
  const work = (async () => {
    for (let count = 0; !isStopped; count += 1) {
      const name = `tag-${count}`;
      const query = `mutation { saveProductTag(input: { name: "${name}" }) { id } }`;
      const send = async (url: string) =>
        await post(`${url}/api/v1/admin/graphql`, { query }, { token, headers: { 'idempotency-key': name } });
      const answer = await send(urls[count % 2]!)
        .catch(async () => await send(urls[(count + 1) % 2]!))
        .catch((error: unknown) => error);
      const isSaved =
        typeof answer === 'object' &&
        answer !== null &&
        'body' in answer &&
        !(answer as Awaited<ReturnType<typeof send>>).body.errors;
      if (isSaved) saved.push(name);
      else failed.push(answer);
      await wait(20);
    }
  })();
  return { stop: async () => ((isStopped = true), await work, { saved, failed }) };
}

async function newToken(env: Record<string, string>): Promise<string> {
  const admin = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('src/cli/admin.ts', args, env).finished;
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, string>;
  };
  await admin('merchant', 'create');
  const { clientId, clientSecret } = await admin('app', 'create');
  return (await admin('token', '--client-id', clientId!, `--client-secret=${clientSecret!}`))['access_token']!;
}
