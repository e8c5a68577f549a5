import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lastRelease } from '../../../codegen/schema-review/sdl-version.ts';
import { editSdl, run } from './ten-changes.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const NEXT = '99.0.0';
const DAY_MS = 86_400_000;

/** A folder with copies of the files that the command reads and writes. */
let checkout: string;
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'release-'));
  for (const part of ['codegen', 'drizzle', 'src', 'schema', 'docs/releases', 'test/clients', 'package.json'])
    await cp(part, join(checkout, part), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  // Starts from the SDL of the last release, so that the edits of the test are the only changes.
  await rm(join(checkout, 'schema'), { recursive: true });
  await cp(`docs/releases/${lastRelease()}`, join(checkout, 'schema'), { recursive: true });
});
afterAll(() => rm(checkout, { recursive: true }));

async function files(folder: string): Promise<Record<string, string>> {
  const names = await readdir(join(checkout, folder), { recursive: true });
  const texts = names.filter((name) => name.endsWith('.graphql')).map(async (name) => [name, await text(folder, name)]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

async function text(...path: string[]): Promise<string> {
  return await readFile(join(checkout, ...path), 'utf8');
}

async function setVersion(version: string): Promise<void> {
  const manifest = JSON.parse(await text('package.json')) as object;
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ ...manifest, version }));
}

describe('schema:release', () => {
  it('does not change a release that exists', async () => {
    const before = [await files('docs/releases'), await files('test/clients')];
    await setVersion(lastRelease());
    const { code, stderr } = await run('release', { cwd: checkout });
    expect([code, stderr]).toEqual([2, expect.stringContaining('a release does not change. Set the next version.')]);
    expect([await files('docs/releases'), await files('test/clients')]).toEqual(before);
  });

  it('writes nothing if the SDL has mistakes', async () => {
    const before = await files('docs/releases');
    await setVersion(NEXT);
    await editSdl(join(checkout, 'schema'), ['tag', 'type ProductTag {', 'type ProductTag {{']);
    const { code, stderr } = await run('release', { cwd: checkout });
    await editSdl(join(checkout, 'schema'), ['tag', 'type ProductTag {{', 'type ProductTag {']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('schema/tag.graphql:')]);
    expect(await files('docs/releases')).toEqual(before);
  });

  it('keeps the SDL, and documents of new and changed operations only', async () => {
    const [releases, documents] = [await files('docs/releases'), await files('test/clients')];
    await setVersion(NEXT);
    await editSdl(
      join(checkout, 'schema'),
      ['tag', /^/, 'extend type Query {\n  "Counts tags."\n  countTags: Int @authenticated\n}\n\n'],
      ['merchant', 'type MerchantResponse {\n', 'type MerchantResponse {\n  "Text."\n  motto: String\n'],
    );
    expect(await run('release', { cwd: checkout })).toMatchObject({ code: 0, stderr: '' });
    expect(await files(`docs/releases/${NEXT}`)).toEqual(await files('schema'));
    expect(await files('docs/releases')).toMatchObject(releases);
    const added = Object.keys(await files('test/clients')).filter((name) => !(name in documents));
    expect(added.sort()).toEqual([`${NEXT}/countTags.graphql`, `${NEXT}/getMerchant.graphql`]);
    expect(await files('test/clients')).toMatchObject(documents);
    expect(await text('test/clients', NEXT, 'countTags.graphql')).toBe('query countTags {\n  countTags\n}\n');
    const { code, stdout } = await run('check', { cwd: checkout });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^0 breaking, 0 dangerous, 0 safe since release 99\.0\.0/),
    ]);
  });
});

describe('the usage that is kept in the repository', () => {
  it('lets schema:check pass only for the removal of unused parts', async () => {
    const [until, from] = [0, 29].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
    const use = {
      merchantId: 'm',
      authorizedAppId: 'a',
      appName: 'Till',
      operation: '',
      requests: 1,
      lastUsedOn: until,
    };
    const usage = (coordinate: string) => ({
      field: null,
      merchantId: null,
      from,
      until,
      countedSince: from,
      operations: [],
      uses: [{ ...use, coordinate }],
    });
    await editSdl(join(checkout, 'schema'), ['merchant', '  "Text."\n  motto: String\n', '']);
    const check = async (kept: object) => {
      await writeFile(join(checkout, 'test/clients/usage.json'), JSON.stringify(kept));
      return await run('check', { cwd: checkout });
    };
    expect(await check(usage('MerchantResponse.name'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`MerchantResponse.motto was removed. It was not deprecated. Nobody used it from`),
    });
    expect(await check(usage('MerchantResponse.motto'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Used by Till (1 request,'),
    });
    expect(await run('check', '--no-usage', { cwd: checkout })).toMatchObject({ code: 1 });
  });
});
