import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Block, blocksOf, fileName } from '../docs/blocks.ts';
import { shell } from '../support/programs.ts';

const PAGE = 'docs/clients.md';
const SET_UP = 'set-up.sh';
/** The folder that the commands of the set-up make. */
const PROJECT = 'my-app';
const INSTALL = /^npm install (?:-D )?(.+)$/;
/** Installs what the page names from the npm registry, as a reader does. */
const IS_FROM_REGISTRY = process.env['CLIENTS_FROM_REGISTRY'] === '1';
/** Node that the page asks for comes first, for npm too. */
const REPOSITORY_BIN = resolve('node_modules/.bin');

/** The programs of a package, or the one with its name. */
type Programs = string | Record<string, string>;

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

  /** The packages that the page installs, as `name@version`. */
  static packages(): string[] {
    const lines = commandsOf([setUpBlock(), ...installBlocks()]).flatMap((line) => INSTALL.exec(line)?.[1] ?? []);
    return [...new Set(lines.flatMap((names) => names.split(' ')))];
  }

  /**
   * Makes the project and installs the packages that the page names. Without CLIENTS_FROM_REGISTRY the same packages of
   * this repository are linked, and no others: then only the versions on the page are not tried.
   */
  async setUp(): Promise<void> {
    const lines = commandsOf([setUpBlock(), ...installBlocks()]);
    const commands = lines.filter((line) => IS_FROM_REGISTRY || !INSTALL.test(line));
    const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    const options = { cwd: this.#parent, env: { ...process.env, ...npm, PATH: path(REPOSITORY_BIN) } };
    await shell('bash', ['-euc', commands.join('\n')], options);
    if (!IS_FROM_REGISTRY) for (const named of EmptyFolder.packages()) await this.#link(nameOf(named));
  }

  /** Links a package and its programs. What it depends on is found beside it in this repository. */
  async #link(name: string): Promise<void> {
    const [modules, target] = [join(this.#parent, PROJECT, 'node_modules'), resolve('node_modules', name)];
    const { bin = {} } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as { bin?: Programs };
    const programs = typeof bin === 'string' ? [[name, bin] as const] : Object.entries(bin);
    const links = programs.map(([program, file]) => [join('.bin', program), join(target, file)] as const);
    for (const [link, file] of [[name, target] as const, ...links]) {
      await mkdir(dirname(join(modules, link)), { recursive: true });
      await symlink(file, join(modules, link));
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

/** The name in `name@version`, which may begin with `@`. */
export function nameOf(named: string): string {
  return named.slice(0, named.lastIndexOf('@'));
}

function setUpBlock(): Block {
  return blocksOf(PAGE).find((block) => fileName(block) === SET_UP)!;
}

/** The blocks of `npm install` below those for an empty folder. */
function installBlocks(): Block[] {
  return blocksOf(PAGE).filter(({ text }) => INSTALL.test(text.split('\n')[0]!));
}

function commandsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ text }) => text.trimEnd().split('\n'));
}
