import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPILE_CACHE, programFile } from '../../support/process.ts';

export type Edit = readonly [file: string, from: RegExp | string, to: string];

export const BREAKING_EDITS: readonly Edit[] = [
  ['product', / {2}"[^"\n]*"\n {2}totalStock: Float\n/, ''],
  ['product', / {2}"A membership."\n {2}MEMBERSHIP\n/, ''],
  ['tag', 'scope: READ_PRODUCTS', 'scope: WRITE_PRODUCTS'],
  ['common', '@aliases(names: ["SalesChannelFilterInput"])', ''],
  ['customer', 'phone: StringFilterInput', 'phone: String'],
];
export const OTHER_EDITS: readonly Edit[] = [
  ['product', '  DIGITAL\n', '  DIGITAL\n  "Something that is lent."\n  RENTAL\n'],
  ['tag', '@cost(weight: "100")', '@cost(weight: "200")'],
  ['tag', '  listProductTag(\n', '  listProductTag(\n    "Tags of these locales."\n    locale: String\n'],
  [
    'brand',
    'type ProductBrand {\n',
    'type ProductBrand {\n  "Number of products. Deleted ones do not count."\n  productCount: Int\n',
  ],
  [
    'stock',
    '\n  description: String\n',
    '\n  description: String @deprecated(reason: "Since 2026-11-01, until 2027-05-01: use `translations`.")\n',
  ],
];

/** Edits SDL files of a folder. Throws if an edit changes nothing. */
export async function editSdl(folder: string, ...edits: readonly Edit[]): Promise<void> {
  for (const [file, from, to] of edits) {
    const path = join(folder, `${file}.graphql`);
    const text = await readFile(path, 'utf8');
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`${file}: ${String(from)} is not there`);
    await writeFile(path, edited);
  }
}

type Ran = { code: number; stdout: string; stderr: string };

/** `cwd`: a copy of the repository. */
type RunOptions = { cwd?: string; env?: Record<string, string> };

/** Runs one of the commands `schema:…`, without the variable `SCHEMA_USAGE` of this process. */
export async function run(command: string, ...args: (string | RunOptions)[]): Promise<Ran> {
  const { cwd, env } = args.find((argument) => typeof argument === 'object') ?? {};
  const environment = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, SCHEMA_USAGE: '', ...env };
  const source = `codegen/schema-review/${command}-command.ts`;
  const file = cwd === undefined ? programFile(source) : join(cwd, source);
  const texts = args.filter((argument) => typeof argument === 'string');
  return await new Promise((resolve) => {
    execFile(process.execPath, [file, ...texts], { cwd, env: environment, maxBuffer: 1e7 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout: stdout.trimEnd(), stderr }),
    );
  });
}
