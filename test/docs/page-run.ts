import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { post } from '../support/post.ts';
import { shell } from '../support/programs.ts';
import type { Block } from './blocks.ts';
import { headDifferences, jsonDifferences, type Learned } from './same-shape.ts';

const TIMEOUT_MS = 30_000;
/** Files of the repository that examples may use in the current folder. */
const IN_REPOSITORY = ['package.json', 'node_modules', 'src', 'drizzle', 'migrations', 'schema', 'examples', 'docs'];
/** Pages with an example that sets `TOKEN`. For the other pages it is set before the first example. */
const WITH_OWN_TOKEN = ['README.md', 'docs/getting-started.md', 'docs/clients.md'];
/** An answer that the page does not show must not match this. */
const FAILURE = /"errors":|"code":|"error":|^HTTP\/1\.1 [45]/m;
/** Programs by language, with the Debian package that installs them. */
export const PROGRAMS: Record<string, { program: string; packageName: string; file: string }> = {
  js: { program: 'node', packageName: 'nodejs', file: 'example.mjs' },
  ts: { program: 'node', packageName: 'nodejs', file: 'example.ts' },
  python: { program: 'python3', packageName: 'python3', file: 'example.py' },
  php: { program: 'php', packageName: 'php-cli', file: 'example.php' },
};

export type PageOptions = {
  readonly page: string;
  readonly folder: string;
  /** The URL of the service. */
  readonly url: string;
  readonly token: string;
  readonly environment: Record<string, string>;
  /** Addresses on the page, with their replacements in the test. */
  readonly addresses: ReadonlyMap<string, string>;
};

/** Runs the examples of a page in order, as a reader does. Shell variables and ids are kept for the next examples. */
export class PageRun {
  readonly #options: PageOptions;
  readonly #learned: Learned = new Map();

  private constructor(options: PageOptions) {
    this.#options = options;
  }

  static async begin(options: PageOptions): Promise<PageRun> {
    const { folder, token, page } = options;
    for (const name of IN_REPOSITORY) await symlink(resolve(name), join(folder, name));
    const variables = WITH_OWN_TOKEN.includes(page) ? '' : `TOKEN=${token}`;
    await writeFile(join(folder, 'variables.sh'), variables);
    return new PageRun(options);
  }

  /** Runs a block. Returns the differences to the answer in the block `next`, if that block shows one. */
  async problems(block: Block, next: Block | undefined): Promise<string[]> {
    const answer = await this.#answer(block.language, this.#replace(block.text)).catch(
      (error: unknown) => error as Error,
    );
    if (answer instanceof Error) return [answer.message];
    const shown = next?.answers ? next : undefined;
    if (!shown) return FAILURE.test(answer) ? [`failed: ${answer}`] : [];
    if (shown.language === 'http') return headDifferences(shown.text, answer, this.#learned);
    return jsonDifferences(shown.text, answer, this.#learned);
  }

  #replace(text: string): string {
    const all = [...this.#options.addresses, ...this.#learned];
    return all.reduce((replaced, [shown, actual]) => replaced.replaceAll(shown, actual), text);
  }

  async #answer(language: string, text: string): Promise<string> {
    if (language === 'graphql') {
      const { url, token } = this.#options;
      return JSON.stringify((await post(`${url}/api/v1/admin/graphql`, { query: text }, { token })).body);
    }
    if (language === 'sh') return await this.#execute(text);
    const { program, file } = PROGRAMS[language]!;
    await writeFile(join(this.#options.folder, file), text);
    return await this.#execute(`${program} ${file}`);
  }

  async #execute(commands: string): Promise<string> {
    const { folder: cwd, environment } = this.#options;
    const env = { ...environment, PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}` };
    const options = { cwd, env, timeout: TIMEOUT_MS };
    const { stdout } = await shell('bash', ['-c', shellScript(commands)], options).catch((error: unknown) => {
      const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
      throw new Error(`${message}\n${stdout}\n${stderr}`);
    });
    return stdout;
  }
}

/**
 * Starts with the variables of the earlier examples, and fails at a variable that none of them has set. The shell's own
 * read-only variables cannot be assigned: these errors are ignored.
 */
function shellScript(text: string): string {
  return `. ./variables.sh 2>/dev/null || true; set -euo pipefail\n${text}\ndeclare -p > variables.sh`;
}
