import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastRelease } from '../../../codegen/schema-review/sdl-version.ts';
import { BREAKING_EDITS, editSdl, OTHER_EDITS, run } from './ten-changes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sdl-'));
  await cp(`docs/releases/${lastRelease()}`, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

describe('schema:check', () => {
  it('refuses each of five breaking changes, and names what and where', async () => {
    await editSdl(folder, ...BREAKING_EDITS, ...OTHER_EDITS);
    const { code, stdout } = await run('check', '--no-usage', '--sdl', folder);
    expect(code).toBe(1);
    const [breaking, dangerous, safe] = ['BREAKING', 'DANGEROUS', 'SAFE'].map((name) => sectionOf(stdout, name));
    const base = `docs/releases/${lastRelease()}`;
    const expected = [
      `${base}/product.graphql:\\d+  Field Product.totalStock was removed. It was not deprecated.$`,
      `${base}/product.graphql:\\d+  Enum value ProductTypeEnum.MEMBERSHIP was removed.`,
      '/customer.graphql:\\d+  Argument Query.listCustomer\\(phone:\\) has changed type from StringFilterInput to String.',
      '/common.graphql:\\d+  StringFilterInput lost its other name SalesChannelFilterInput',
      '/tag.graphql:\\d+  Query.listProductTag needs the scope write_products. Before, it needed the scope read_products.',
    ];
    expect(breaking).toHaveLength(5);
    for (const line of expected) expect(breaking).toContainEqual(expect.stringMatching(line));
    expect(dangerous).toHaveLength(2);
    expect(safe).toHaveLength(3);
    expect(stdout).toMatch(/^5 breaking, 2 dangerous, 3 safe since release .*\n/);
    expect(stdout).toContain('Refused: 5 breaking changes without a deprecation');
  });

  it('passes for dangerous and safe changes', async () => {
    await editSdl(folder, ...OTHER_EDITS);
    expect(await run('check', '--no-usage', '--sdl', folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 breaking, .* since release .*Existing documents keep running\.$/s),
    });
  });

  it('compares with a git ref', async () => {
    await rm(join(folder, 'input-rules.json'));
    await cp('schema', folder, { recursive: true });
    await editSdl(folder, ['tag', 'scope: READ_PRODUCTS', 'scope: WRITE_PRODUCTS']);
    const { code, stdout } = await run('check', 'HEAD', '--no-usage', '--sdl', folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^1 breaking, .* since HEAD/);
    expect(stdout).toContain('Query.listProductTag needs the scope write_products.');
  });

  it('prints JSON, with each change by its coordinate', async () => {
    await editSdl(folder, ...BREAKING_EDITS, ...OTHER_EDITS);
    const report = JSON.parse((await run('check', '--no-usage', '--sdl', folder, '--format', 'json')).stdout) as {
      changes: { coordinate: string }[];
    };
    expect(report).toMatchObject({ base: `release ${lastRelease()}`, refused: 5, breaking: 5, dangerous: 2, safe: 3 });
    expect(report.changes).toContainEqual(
      expect.objectContaining({ coordinate: 'Query.listProductTag(locale:)', severity: 'safe', nature: 'added' }),
    );
  });

  it('prints a comment for a review', async () => {
    await editSdl(folder, ...BREAKING_EDITS, ...OTHER_EDITS);
    const { stdout } = await run('check', '--no-usage', '--sdl', folder, '--format', 'markdown');
    expect(stdout).toMatch(/^### Schema: 5 breaking, 2 dangerous, 3 safe since/);
    expect(stdout).toMatch(
      /\| breaking \| Field `Product.totalStock` was removed. It was not deprecated. \| `docs\/releases\/.*\/product.graphql:\d+` \|/,
    );
    expect(stdout).toContain('<details><summary>Safe changes</summary>\n\n| | Change | Where |');
  });

  it('names the place of a syntax error, and exits with 2', async () => {
    await editSdl(folder, ['tag', 'type ProductTag {', 'type ProductTag {{']);
    const { code, stderr } = await run('check', '--no-usage', '--sdl', folder);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/tag.graphql:\d+:18: Syntax Error: Expected Name, found "{"/),
    ]);
  });

  it('exits with 2 for a ref that does not exist', async () => {
    const { code, stderr } = await run('check', 'no-such-ref');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is the ref known here')]);
  });
});

describe('schema:lint', () => {
  it('prints file, line, column, element and rule of each mistake, and exits with 1', async () => {
    await cp('schema', folder, { recursive: true });
    await editSdl(folder, [
      'brand',
      /type ProductBrand \{\n {2}"[^"]*"\n {2}id: ID!/,
      'type ProductBrand {\n  id: ID!',
    ]);
    const { code, stdout } = await run('lint', '--sdl', folder);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/brand\.graphql:\d+:3: ProductBrand\.id has no description \(described\)$/),
    ]);
  });
});

describe('schema:changelog', () => {
  it('drafts a release note with the first sentences of new descriptions', async () => {
    await editSdl(folder, ...BREAKING_EDITS, ...OTHER_EDITS);
    const { code, stdout } = await run('changelog', '--sdl', folder);
    expect(code).toBe(0);
    expect(stdout.match(/^### .*$/gm)).toEqual([
      '### Breaking',
      '### Check your client',
      '### Deprecated',
      '### New types and members',
    ]);
    expect(stdout).toContain('- `ProductBrand.productCount`: Number of products.\n');
    expect(stdout).toContain('- `Query.listProductTag(locale:)`: Tags of these locales.');
    expect(stdout).toMatch(
      /- StockLocation\w*\.description is deprecated\. Since 2026-11-01, until 2027-05-01: use `translations`\./,
    );
  });

  it('says that nothing changed', async () => {
    expect((await run('changelog', '--sdl', folder)).stdout).toContain('None.');
  });
});

function sectionOf(report: string, heading: string): string[] {
  return (new RegExp(`^${heading}\n((?: {2}.*\n?)*)`, 'm').exec(report)?.[1] ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.trim());
}
