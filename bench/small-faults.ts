import { parseAst } from 'vitest/node';
import type { SourceFile } from './source-size.ts';

/** One change of one line: the characters from `start` to `end` become `replacement`. */
export type SmallFault = { path: string; line: number; start: number; end: number; replacement: string };

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
const TYPES_OF_TYPES = /^TS(?!AsExpression|NonNullExpression|SatisfiesExpression)/;

type Place = { start: number; end: number };
type Node = Place & {
  type: string;
  operator: string;
  value: unknown;
  computed: boolean;
  left: Place;
  right: Place;
  argument: Place;
  test: Place;
  property: Place & { name?: string };
};
type Change = Place & { replacement: string };

/** Every change of an operator or a constant of the file's code. Some do not compile: the caller runs `tsc`. */
export function smallFaultsOf({ path, text }: SourceFile): SmallFault[] {
  const found: SmallFault[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type } = node as Partial<Node>;
    if (type !== undefined && (TYPES_OF_TYPES.test(type) || type === 'ImportDeclaration')) return;
    if (type !== undefined)
      for (const change of changesOf(node as Node, text))
        found.push({ path, line: text.slice(0, change.start).split('\n').length, ...change });
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

function changesOf(node: Node, text: string): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorOf(node, text);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ start: node.start, end: node.argument.start, replacement: '' }] : [];
    case 'ConditionalExpression':
    case 'IfStatement':
      return [negated(node.test, text)];
    case 'Literal':
      return literal(node);
    case 'MemberExpression':
      return method(node);
    default:
      return [];
  }
}

function operatorOf({ operator, left, right }: Node, text: string): Change[] {
  const replacement = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  const at = text.slice(left.end, right.start).indexOf(operator);
  if (replacement === undefined || at === -1) return [];
  const start = left.end + at;
  return [{ start, end: start + operator.length, replacement }];
}

function negated({ start, end }: Place, text: string): Change {
  return { start, end, replacement: `!(${text.slice(start, end)})` };
}

function literal({ start, end, value }: Node): Change[] {
  if (typeof value === 'number') return [{ start, end, replacement: String(value + 1) }];
  return typeof value === 'boolean' ? [{ start, end, replacement: String(!value) }] : [];
}

function method({ computed, property }: Node): Change[] {
  const name = property.name ?? '';
  if (computed || !Object.hasOwn(METHODS, name)) return [];
  return [{ start: property.start, end: property.end, replacement: METHODS[name]! }];
}

export function applied(text: string, { start, end, replacement }: SmallFault): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Pseudo-random numbers from 0 to 1: the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All lines with a possible fault, in random order, and one fault of each. */
export function* drawn(faults: readonly SmallFault[], seed: number): Generator<SmallFault> {
  const random = randomFrom(seed);
  const lines = [...Map.groupBy(faults, ({ path, line }) => `${path}:${line}`).values()];
  while (lines.length > 0) {
    const [ofLine] = lines.splice(Math.floor(random() * lines.length), 1);
    yield ofLine![Math.floor(random() * ofLine!.length)]!;
  }
}
