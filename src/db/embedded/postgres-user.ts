import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const USER = 'postgres';
/** CAP_DAC_OVERRIDE, kept while the user changes: paths may lie in folders that only root may enter. */
const PASS_EVERYWHERE = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];

const execute = promisify(execFile);

export type PostgresUser = {
  /** Owner of the server's files; null for the user of this process. */
  ids: { uid: number; gid: number } | null;
  run(program: string, args: string[]): Promise<unknown>;
};

/** Postgres refuses to run as root, so it runs as the user `postgres`, who is created if missing. */
export async function postgresUser(...paths: string[]): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { ids: null, run: (program, args) => execute(program, args, { cwd: '/' }) };
  const ids = (await idsOfUser()) ?? (await makeUser());
  const options = { ...ids, cwd: '/' };
  if (await canEnter(paths, options)) return { ids, run: (program, args) => execute(program, args, options) };
  // Other users cannot enter root's home directory, for example.
  const change = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups', ...PASS_EVERYWHERE, '--'];
  return { ids, run: (program, args) => execute('setpriv', [...change, program, ...args], { cwd: '/' }) };
}

async function idsOfUser(): Promise<{ uid: number; gid: number } | null> {
  try {
    const [uid, gid] = await Promise.all([execute('id', ['-u', USER]), execute('id', ['-g', USER])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

async function makeUser(): Promise<{ uid: number; gid: number }> {
  await execute('groupadd', ['--system', USER]).catch(() => undefined);
  await execute('useradd', ['--system', '--gid', USER, USER]);
  const made = await idsOfUser();
  if (made) return made;
  throw new Error(
    'PostgreSQL cannot run as root and the user postgres could not be made. ' +
      'Run the service as another user or set DATABASE_URL.',
  );
}

async function canEnter(paths: string[], options: object): Promise<boolean> {
  const entered = await Promise.allSettled(paths.map((path) => execute('test', ['-x', path], options)));
  return entered.every(({ status }) => status === 'fulfilled');
}
