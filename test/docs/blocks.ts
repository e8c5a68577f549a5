import { readdirSync, readFileSync } from 'node:fs';
import { parse, visit } from 'graphql';
import { PROGRAMS } from './page-run.ts';

/** A fenced code block of a page. */
export type Block = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The reason why it is not run, from the comment `<!-- not run: … -->` above it. */
  readonly notRun: string | null;
  /** Another test that runs it, from the comment `<!-- run by: … -->` above it. */
  readonly runBy: string | null;
  /** Whether it shows the answer of the block before it. */
  readonly answers: boolean;
};

const BLOCK = /^(?:<!-- (not run|run by): ([^\n]+) -->\n{1,2})?```(\w*)[^\n]*\n([^]*?)^```$/gm;
const CLIENTS_PAGE = 'docs/clients.md';
const SET_UPS_TEST = 'test/clients/set-ups.test.ts';
const FENCE = /^\s*(?:```|~~~)/gm;
const RUNNABLE = ['sh', 'graphql', ...Object.keys(PROGRAMS)];
const ANSWERS = ['json', 'http'];
const NAMED = /^(?:\/\/|#) ([\w.-]+\.(?:ts|sh))\n/;

/** docs/performance.md has only commands of benchmarks, which take too long. */
const WITHOUT_EXAMPLES = ['docs/performance.md'];

/** All files that may have examples: Markdown files, and the SDL for its descriptions. */
export function pages(): string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('releases/'))
    .map((file) => `docs/${file}`)
    .filter((file) => !WITHOUT_EXAMPLES.includes(file));
  const sdl = readdirSync('schema').map((file) => `schema/${file}`);
  return ['README.md', 'SECURITY.md', 'ops/README.md', 'examples/README.md', ...docs.toSorted(), ...sdl];
}

/** The blocks of a page, in order. */
export function blocksOf(page: string, text = readFileSync(page, 'utf8')): Block[] {
  if (page.endsWith('.md')) return markdownBlocks(page, text, 1);
  const blocks: Block[] = [];
  visit(parse(text), {
    StringValue: ({ value, loc }, key) => {
      if (key !== 'description' || !loc) return;
      const isBelowQuotes = text.startsWith('"""\n', loc.start);
      blocks.push(...markdownBlocks(page, value, loc.startToken.line + (isBelowQuotes ? 1 : 0)));
    },
  });
  return blocks;
}

export const kinds = ['executed', 'answers of these', 'run by another test', 'not run'] as const;

/** What is done with a block. Throws for a language without a program, unless the block has a reason not to run. */
export function kindOf({ page, line, language, notRun, runBy, answers }: Block): (typeof kinds)[number] {
  if (notRun !== null) return 'not run';
  if (runBy !== null) return 'run by another test';
  if (answers) return 'answers of these';
  if (RUNNABLE.includes(language)) return 'executed';
  throw new Error(`${page}:${line}: nothing runs a block of the language ${language || '(none)'}`);
}

/** The file name in the first line of a block, `// codegen.ts`: the reader saves the block under this name. */
export function fileName({ text }: Block): string | null {
  return NAMED.exec(text)?.[1] ?? null;
}

function markdownBlocks(page: string, text: string, firstLine: number): Block[] {
  const blocks: Block[] = [];
  for (const { index, 0: all, 1: kind, 2: reason = null, 3: language = '', 4: content = '' } of text.matchAll(BLOCK)) {
    const before = blocks.at(-1);
    const hasExample = before !== undefined && !before.answers && before.notRun === null;
    const block = {
      page,
      line: firstLine + text.slice(0, index + all.indexOf('```')).split('\n').length - 1,
      language,
      text: content,
      notRun: kind === 'not run' ? reason : null,
      runBy: kind === 'run by' ? reason : null,
      answers: hasExample && kind === undefined && ANSWERS.includes(language),
    };
    blocks.push(isInSetUp(block) ? { ...block, runBy: SET_UPS_TEST } : block);
  }
  const fences = text.match(FENCE)?.length ?? 0;
  if (fences !== 2 * blocks.length) throw new Error(`${page}: ${fences} fences do not make ${blocks.length} blocks`);
  return blocks;
}

/** Whether the block is a file of a client's set-up. */
function isInSetUp(block: Block): boolean {
  return block.page === CLIENTS_PAGE && fileName(block) !== null;
}
