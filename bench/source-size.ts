import { parseAst } from 'vitest/node';

/** The sizes that `bench/code-size.ts` prints and `test/contract/source-size.test.ts` limits. */
export type SourceFile = { path: string; text: string };
export type SourceFunction = { place: string; lines: number; parameters: number };

const FUNCTION_TYPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

type Node = { type?: string; start: number; end: number; body?: { type?: string }; params?: unknown[] };

export function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** The functions of a TypeScript file that have a body in braces. `place` is `path:line`. */
export function functionsOf({ path, text }: SourceFile): SourceFunction[] {
  const found: SourceFunction[] = [];
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, start, end, body, params = [] } = node as Node;
    if (type && FUNCTION_TYPES.has(type) && body?.type === 'BlockStatement') {
      const first = lineAt(start);
      found.push({ place: `${path}:${first}`, lines: lineAt(end) - first + 1, parameters: params.length });
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

/** The quantile of the numbers: `share` 0.9 is the ninth decile. 0 for an empty list. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** Scalar members of a product and of its variants, to count in how many files written by hand each one stands. */
export const SAMPLE_MEMBERS = [
  'googleTaxonomyId',
  'maxQuantityPerCart',
  'vendorId',
  'hsCode',
  'productVolumeDiscountId',
  'shortDescription',
];

/** The files in which the member stands, in TypeScript, in the SDL or as a column in SQL. */
export function filesWith(files: readonly SourceFile[], member: string): string[] {
  const column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const pattern = new RegExp(`\\b(${member}|${column})\\b`);
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

/** SQL functions that `npm run codegen` writes. */
const GENERATED_FUNCTIONS =
  /\/(customer_events|product_events|product_stock_location_events|stock_hold_events|fill_\w+_ids|\w+_history)\.sql$/;

/** Whether a program writes the file. */
export function isGenerated(path: string): boolean {
  return path.includes('generated') || /^migrations\/(\d|meta)/.test(path) || GENERATED_FUNCTIONS.test(path);
}
