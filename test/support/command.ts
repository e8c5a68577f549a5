import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runProgram } from '../../src/cli/program.ts';
import type { Finished } from './process.ts';

/** Node and its libraries read these when a process starts, so only a process of its own obeys them. */
const READ_AT_START = /^(NODE_|UV_|LC_|LD_|SSL_CERT_)|^(TZ|LANG|OPENSSL_CONF)$/;
const REPLACED = ['env', 'stdin', 'stdout', 'stderr'] as const;

type Surroundings = { env: NodeJS.ProcessEnv; stdin: Readable; stdout: Output; stderr: Output };

const surroundings = new AsyncLocalStorage<Surroundings>();
/** The exit code and the listeners are of the whole process, so one command runs at a time. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the operator in the process of the test, in a tenth of the time of a process. Its environment has
 * only `env` and `PATH`, as for `run()`. Signals, pipes, terminals, and whether the process ends by itself can be tested
 * only with `run()`. A command must not wait for another one that is started after it.
 */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  return await runLikeProcess(env, async () => await runProgram('admin', [process.execPath, 'admin', ...args]));
}

/** Runs `work` with a standard input, outputs, an environment, an exit code and listeners of its own. */
export async function runLikeProcess(env: Record<string, string>, work: () => Promise<number>): Promise<Finished> {
  const unsuitable = Object.keys(env).filter((name) => READ_AT_START.test(name));
  if (unsuitable.length > 0) throw new Error(`Only a process of its own obeys ${unsuitable.join(', ')}: use run().`);
  const finished = previous.then(async () => await runAlone(env, work));
  previous = finished.catch(() => undefined);
  return await finished;
}

async function runAlone(env: Record<string, string>, work: () => Promise<number>): Promise<Finished> {
  const own: Surroundings = {
    env: { ...(process.env.PATH !== undefined && { PATH: process.env.PATH }), ...env },
    stdin: Readable.from([]),
    stdout: new Output(),
    stderr: new Output(),
  };
  const restore = [replaceMembers(), keepExitCode(), keepListeners()];
  try {
    const code = await surroundings.run(own, async () => await untilPrinted(work));
    return { code, signal: null, stdout: own.stdout.text(), stderr: own.stderr.text() };
  } finally {
    own.stdout.isClosed = true;
    own.stderr.isClosed = true;
    for (const undo of restore) undo();
  }
}

/** Streams emit their errors soon after the work. */
async function untilPrinted(work: () => Promise<number>): Promise<number> {
  const code = await work();
  await nextTurn();
  return code;
}

/** What `process.env` and the streams are depends on the caller, so the test itself and its servers keep theirs. */
function replaceMembers(): () => void {
  const replaced = REPLACED.map((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(process, name)!;
    const read = (): unknown => (descriptor.get ? descriptor.get.call(process) : descriptor.value);
    const get = (): unknown => surroundings.getStore()?.[name] ?? read();
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
    return () => Object.defineProperty(process, name, descriptor);
  });
  return () => replaced.forEach((undo) => undo());
}

function keepExitCode(): () => void {
  const { exitCode } = process;
  process.exitCode = undefined;
  return () => (process.exitCode = exitCode);
}

/** Removes the listeners that were added meanwhile, such as those for Ctrl-C. */
function keepListeners(): () => void {
  const before = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  return () => {
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name))
        if (!before.get(name)?.includes(listener)) process.removeListener(name, listener as () => void);
  };
}

/** A standard output that is no terminal. A process would still print what is written after the end, so that fails. */
class Output extends Writable {
  isClosed = false;
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.isClosed) throw new Error(`The command has ended, and still prints: ${chunk.toString()}`);
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
