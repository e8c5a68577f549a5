import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import {
  filesWith,
  functionsOf,
  isGenerated,
  linesOf,
  quantile,
  SAMPLE_MEMBERS,
  type SourceFile,
} from './source-size.ts';

/**
 * `node bench/code-size.ts [commit …]` prints for each commit (default HEAD) the files and lines by folder, the lengths of
 * files and functions, and the files that contain a member of a product. Generated files are left out. Of `codegen/`, the
 * generators are counted, but not the review of schema changes.
 */
const CODE = ['src', 'drizzle', 'codegen'];
const PLACES_OF_MEMBERS = ['schema', 'drizzle', 'src', 'migrations'];
const NOT_GENERATORS = ['codegen/schema-review/', 'codegen/package/'];
const PRODUCT_FILES = /^src\/(product-file|product\/(csv|exchange|jsonl|portable))\//;
const MAX_COLUMNS = 120;
const LONGEST_SHOWN = 10;

type Piece = { name: string; lines: number };

for (const commit of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const sources = filesAt(commit, CODE).filter(({ path }) => path.endsWith('.ts') && !isLeftOut(path));
  printFolders(commit, sources);
  const files = sources.map(pieceOf);
  const functions = sources.flatMap(functionsOf).map(({ place, lines }) => ({ name: place, lines }));
  const longLines = sources.flatMap(({ text }) => linesOf(text)).filter((line) => line.length > MAX_COLUMNS);
  console.log(`lines per file: ${summaryOf(files)}`);
  console.log(`lines per function: ${summaryOf(functions)}`);
  console.log(`lines over ${MAX_COLUMNS} columns: ${longLines.length}`);
  console.log(`files in camelCase without an operation of that name: ${misnamed(commit, sources).length}`);
  console.log(`longest files: ${longestOf(files)}\nlongest functions: ${longestOf(functions)}`);
  printProductFiles(files);
  printMembers(commit);
}

function isLeftOut(path: string): boolean {
  return isGenerated(path) || NOT_GENERATORS.some((folder) => path.startsWith(folder));
}

function filesAt(commit: string, folders: readonly string[]): SourceFile[] {
  const paths = git('ls-tree', '-r', '--name-only', commit, ...folders)
    .trimEnd()
    .split('\n');
  return paths.map((path) => ({ path, text: git('show', `${commit}:${path}`) }));
}

function pieceOf({ path, text }: SourceFile): Piece {
  return { name: path, lines: linesOf(text).length };
}

function printFolders(commit: string, sources: SourceFile[]): void {
  const files = sources.map(pieceOf);
  console.log(`## ${commit}: ${files.length} files, ${sumOf(files)} lines\n`);
  console.log('| folder | files | lines |\n| --- | --- | --- |');
  const folders = [...Map.groupBy(files, ({ name }) => dirname(name))].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [folder, own] of folders) console.log(`| ${folder} | ${own.length} | ${sumOf(own)} |`);
  console.log('');
}

function printProductFiles(files: Piece[]): void {
  const found = files.filter(({ name }) => PRODUCT_FILES.test(name));
  console.log(`product files: ${found.length} files, ${sumOf(found)} lines`);
}

function printMembers(commit: string): void {
  const files = filesAt(commit, PLACES_OF_MEMBERS).filter(({ path }) => !isGenerated(path));
  for (const member of SAMPLE_MEMBERS) {
    const found = filesWith(files, member);
    console.log(`${member} stands in ${found.length} files: ${found.join(', ')}`);
  }
  console.log('');
}

/** Only files of operations may have names in camelCase. */
function misnamed(commit: string, sources: SourceFile[]): string[] {
  const fields = git('grep', '-hoE', '^  [a-z][A-Za-z]+', commit, '--', 'schema').split('\n');
  const operations = new Set(fields.map((field) => field.trim()));
  return sources
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1, -'.ts'.length))
    .filter((name) => /[A-Z]/.test(name) && !operations.has(name));
}

function summaryOf(pieces: Piece[]): string {
  const sizes = pieces.map(({ lines }) => lines);
  return `median ${quantile(sizes, 0.5)}, p90 ${quantile(sizes, 0.9)}, maximum ${quantile(sizes, 1)} (${sizes.length})`;
}

function longestOf(pieces: Piece[]): string {
  const longest = pieces.toSorted((a, b) => b.lines - a.lines).slice(0, LONGEST_SHOWN);
  return longest.map(({ name, lines }) => `${name} ${lines}`).join(', ');
}

function sumOf(pieces: Piece[]): number {
  return pieces.reduce((total, { lines }) => total + lines, 0);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
