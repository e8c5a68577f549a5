import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

/** A copy without the tables, which do not load before the enums of their columns are there. */
let checkout: string;
let brand: string;
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'enums-'));
  for (const part of ['codegen', 'src', 'schema', 'package.json'])
    await cp(part, join(checkout, part), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  brand = join(checkout, 'schema/brand.graphql');
});
afterAll(() => rm(checkout, { recursive: true }));

async function codegen(): Promise<{ code: number; stdout: string; stderr: string }> {
  const scripts = (JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;
  const [first] = scripts['codegen']!.split(' && ');
  return await new Promise((resolve) => {
    execFile('sh', ['-c', `PATH="$PWD/node_modules/.bin:$PATH" ${first}`], { cwd: checkout }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it('npm run codegen writes the enums first, without the tables, which import them', async () => {
  await writeFile(brand, `${await readFile(brand, 'utf8')}\nenum BrandTierEnum { GOLD SILVER }\n`);
  expect(await codegen()).toEqual({ code: 0, stdout: '', stderr: '' });
  const enums = await readFile(join(checkout, 'drizzle/generated/enums.ts'), 'utf8');
  expect(enums).toContain("export const brandTierEnum = ['GOLD', 'SILVER'] as const;");
});

it('npm run codegen prints mistakes of the SDL in one line each, and nothing else', async () => {
  await writeFile(brand, 'extend type Query { brands: Int @unknown }');
  expect(await codegen()).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^schema\/brand\.graphql:1:33: Unknown directive "@unknown"\.\n/),
  });
});

it('npm run codegen refuses rules that it would drop', async () => {
  const member = 'rank: Int @amount';
  await writeFile(
    brand,
    (await readFile('schema/brand.graphql', 'utf8')).replace('input ProductBrandInput {', `$& ${member}`),
  );
  const { code, stdout } = await codegen();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^schema\/brand\.graphql:\d+:\d+: ProductBrandInput\.rank has a wrong rule: .* \(rule-fits\)\n$/,
  );
});
