import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { parseAst } from 'vitest/node';

/**
 * `node bench/code-size.ts [commit …]`: files and lines of src and drizzle by folder, and the lengths of files and
 * functions, at each commit (default HEAD). A function is one with a body in braces. Generated files are left out.
 */
const FOLDERS = ['src', 'drizzle'];
const MAX_COLUMNS = 120;
const LONGEST_SHOWN = 10;
const FUNCTION_TYPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

type Source = { path: string; lines: string[] };
type Piece = { name: string; lines: number };

for (const commit of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const sources = sourcesOf(commit);
  printFolders(commit, sources);
  const files = sources.map(({ path, lines }) => ({ name: path, lines: lines.length }));
  const functions = sources.flatMap(functionsOf);
  const longLines = sources.flatMap(({ lines }) => lines).filter((line) => line.length > MAX_COLUMNS);
  console.log(`lines per file: ${summaryOf(files)}`);
  console.log(`lines per function: ${summaryOf(functions)}`);
  console.log(`lines over ${MAX_COLUMNS} columns: ${longLines.length}`);
  console.log(`files in camelCase without an operation of that name: ${misnamed(commit, sources).length}`);
  console.log(`longest files: ${longestOf(files)}\nlongest functions: ${longestOf(functions)}\n`);
}

function sourcesOf(commit: string): Source[] {
  return git('ls-tree', '-r', '--name-only', commit, ...FOLDERS)
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => ({ path, lines: git('show', `${commit}:${path}`).trimEnd().split('\n') }));
}

function printFolders(commit: string, sources: Source[]): void {
  console.log(`## ${commit}: ${sources.length} files, ${sum(sources.map(({ lines }) => lines.length))} lines\n`);
  console.log('| folder | files | lines |\n| --- | --- | --- |');
  const folders = [...Map.groupBy(sources, ({ path }) => dirname(path))].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [folder, own] of folders)
    console.log(`| ${folder} | ${own.length} | ${sum(own.map(({ lines }) => lines.length))} |`);
  console.log('');
}

function functionsOf({ path, lines }: Source): Piece[] {
  const found: Piece[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, start, end, body } = node as { type?: string; start: number; end: number; body?: { type?: string } };
    if (type && FUNCTION_TYPES.has(type) && body?.type === 'BlockStatement')
      found.push({ name: `${path}:${lineAt(text, start)}`, lines: lineAt(text, end) - lineAt(text, start) + 1 });
    Object.values(node).forEach(visit);
  };
  const text = lines.join('\n');
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Only files of operations may have names in camelCase. */
function misnamed(commit: string, sources: Source[]): string[] {
  const fields = git('grep', '-hoE', '^  [a-z][A-Za-z]+', commit, '--', 'schema').split('\n');
  const operations = new Set(fields.map((field) => field.trim()));
  return sources
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1, -'.ts'.length))
    .filter((name) => /[A-Z]/.test(name) && !operations.has(name));
}

function summaryOf(pieces: Piece[]): string {
  const sorted = pieces.map(({ lines }) => lines).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  return `median ${at(0.5)}, p90 ${at(0.9)}, maximum ${at(1)} (${sorted.length})`;
}

function longestOf(pieces: Piece[]): string {
  const longest = pieces.toSorted((a, b) => b.lines - a.lines).slice(0, LONGEST_SHOWN);
  return longest.map(({ name, lines }) => `${name} ${lines}`).join(', ');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
