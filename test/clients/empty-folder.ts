import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { blocksOf, fileName } from '../docs/blocks.ts';
import { shell } from '../support/programs.ts';

const PAGE = 'docs/clients.md';
const SET_UP = 'set-up.sh';
/** The folder that the commands of the set-up make. */
const PROJECT = 'my-app';
const INSTALL = /^npm install /;
const NO_REGISTRY = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ENOTCACHED)\b/;
/** Node that the page asks for comes first, for npm too. */
const REPOSITORY_BIN = resolve('node_modules/.bin');

/** A folder outside the repository, in which the page is followed as by a reader who has nothing else. */
export class EmptyFolder {
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
  }

  static async make(): Promise<EmptyFolder> {
    return new EmptyFolder(await mkdtemp(join(tmpdir(), 'commerce-clients-')));
  }

  /** The files of the page by their names, in its order. */
  static files(): Map<string, string> {
    return new Map(
      blocksOf(PAGE).flatMap((block) => {
        const name = fileName(block);
        return name === null || name === SET_UP ? [] : [[name, block.text] as const];
      }),
    );
  }

  /**
   * Makes the project and installs the packages that the page names. Without a registry the packages of the repository
   * take their place: then only the versions on the page are not tried.
   */
  async setUp(): Promise<void> {
    const blocks = blocksOf(PAGE);
    const setUp = blocks.find((block) => fileName(block) === SET_UP)!.text;
    const installs = blocks.filter(({ text }) => INSTALL.test(text)).map(({ text }) => text);
    const { registry } = await this.#install(`${setUp}\n${installs.join('\n')}`);
    if (registry) return;
    console.log('The npm registry cannot be reached: the set-ups use the packages of the repository.');
    const target = join(this.#parent, PROJECT, 'node_modules');
    await rm(target, { recursive: true, force: true });
    await symlink(resolve('node_modules'), target);
  }

  async #install(commands: string): Promise<{ registry: boolean }> {
    const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    const options = { cwd: this.#parent, env: { ...process.env, ...npm, PATH: path(REPOSITORY_BIN) } };
    try {
      await shell('bash', ['-euc', commands], options);
      return { registry: true };
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      if (NO_REGISTRY.test(stderr)) return { registry: false };
      throw error;
    }
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#parent, PROJECT, name), text);
  }

  async read(name: string): Promise<string> {
    return await readFile(join(this.#parent, PROJECT, name), 'utf8');
  }

  /** Runs a command in the project, on the Node of the repository. */
  async run(environment: Record<string, string>, file: string, ...args: string[]): Promise<{ stdout: string }> {
    const cwd = join(this.#parent, PROJECT);
    const env = { ...process.env, ...environment, PATH: path(join(cwd, 'node_modules/.bin'), REPOSITORY_BIN) };
    return await shell(file, args, { cwd, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`);
    });
  }

  async remove(): Promise<void> {
    await rm(this.#parent, { recursive: true, force: true });
  }
}

function path(...folders: string[]): string {
  return [...folders, process.env['PATH']].join(':');
}
