import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/context.ts';
import { run } from '../support/process.ts';

const SECRET_KEY = '0'.repeat(64);

/** Imports products by the command: their number, and their titles, vendor and price. */
export async function importSheet(
  url: string,
  { merchantId }: Pick<Context, 'merchantId'>,
  count: number,
  [title, vendor, price]: [string, string, number],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-undo-'));
  const file = join(folder, 'products.csv');
  const rows = Array.from({ length: count }, (_, n) => `h-${n},${title} ${n},${vendor},sku-${n},${price}`);
  await writeFile(file, ['Handle,Title,Vendor,Variant SKU,Variant Price', ...rows].join('\n'));
  const env = { DATABASE_URL: url, SECRET_KEY };
  const { code, stderr } = await run('src/cli/admin.ts', ['import', file, '--merchant', merchantId], env).finished;
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(stderr);
}
