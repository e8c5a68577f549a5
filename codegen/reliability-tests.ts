import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';
import { ATTACKS } from './attacks.ts';

type Test = { readonly file: string; readonly name: string };
type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown };

/** Above a test, a comment with the numbers of the attacks that it shows. */
const MARK = /^ *\/\/ docs\/reliability-tests\.md: (\d+(?:, \d+)*)$/gm;
const SUITE = /^describe\b/;

const HEAD = `# Attacks, faults and their tests

<!-- Written by \`npm run codegen\`: attacks and notes from codegen/attacks.ts, tests from the comments above them. Do not edit. -->

A hundred attacks and faults, each with the tests that show how the service holds, or with the reason why there is none.
A test may stand for several cases. [Reliability](reliability.md) has the promises with their figures.
`;

/** A graphql-codegen plugin, so that `npm run codegen` writes the page and `npm run codegen:check` compares it. */
export function plugin(): string {
  const tests = markedTests();
  const count = Object.values(ATTACKS).flat().length;
  const unknown = [...tests.keys()].filter((number) => number < 1 || number > count);
  if (unknown.length > 0)
    throw new Error(`Tests name attacks that codegen/attacks.ts does not have: ${unknown.join()}`);
  let number = 0;
  const sections = Object.entries(ATTACKS).map(([heading, attacks]) => {
    const rows = attacks.map((attack) => row(++number, attack, tests.get(number) ?? []));
    return [`\n## ${heading}\n`, '| | Attack or fault | Tests |', '|---|---|---|', ...rows].join('\n');
  });
  return `${[HEAD.trimEnd(), ...sections].join('\n')}\n`;
}

function row(number: number, attack: string | readonly [string, string], tests: readonly Test[]): string {
  const [title, note] = typeof attack === 'string' ? [attack, null] : attack;
  if (tests.length === 0 && !note?.startsWith('No test: '))
    throw new Error(`Attack ${number} needs a test, or a note that begins with "No test: ".`);
  const byFile = Map.groupBy(tests, ({ file }) => file);
  const cells = [...byFile].map(
    ([file, named]) => `\`${file}\` ${named.map(({ name }) => `"${name.replaceAll('|', '\\|')}"`).join(', ')}`,
  );
  return `| ${number} | ${title} | ${[cells.join('; '), note].filter(Boolean).join('. ')} |`;
}

/** The tests with a mark, by the numbers in it. */
function markedTests(): Map<number, Test[]> {
  const tests = new Map<number, Test[]>();
  for (const file of testFiles()) {
    const text = readFileSync(file, 'utf8');
    for (const mark of text.matchAll(MARK)) {
      const name = nameAfter(text, mark.index + mark[0].length);
      if (!name) throw new Error(`${file}: no test follows the mark of ${mark[1]}.`);
      for (const number of mark[1]!.split(', ').map(Number))
        tests.set(number, [...(tests.get(number) ?? []), { file, name }]);
    }
  }
  return tests;
}

function testFiles(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .toSorted();
}

/** The name of the first test or suite after the offset, with the names of the suites that contain it. */
function nameAfter(text: string, offset: number): string | null {
  const calls = namedCalls(text, parseAst(text, { lang: 'ts' }) as unknown as Node);
  const marked = calls.filter(({ start }) => start > offset).toSorted((a, b) => a.start - b.start)[0];
  if (!marked) return null;
  const around = calls.filter(({ start, end, isSuite }) => isSuite && start < marked.start && end >= marked.end);
  return [...around, marked].map(({ name }) => name).join(' ');
}

/** The statements `it('…')`, `test('…')` and `describe('…')`, also with `.each(…)` and the like. */
function namedCalls(text: string, program: Node): { name: string; start: number; end: number; isSuite: boolean }[] {
  return statements(program).flatMap(({ start, end, expression }) => {
    const [title] = (expression as Node)['arguments'] as Node[];
    const source = text.slice(start, end);
    if (!title || !/^(?:it|test|describe)\b/.test(source)) return [];
    if (title.type !== 'Literal' && title.type !== 'TemplateLiteral') return [];
    const name = title.type === 'Literal' ? String(title['value']) : text.slice(title.start + 1, title.end - 1);
    return [{ name, start, end, isSuite: SUITE.test(source) }];
  });
}

/** All statements that are a call, at any depth. */
function statements(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(statements);
  const { type, expression } = node as { type?: string; expression?: Node };
  return type === 'ExpressionStatement' && expression?.type === 'CallExpression' ? [node as Node, ...inner] : inner;
}
