import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresUser } from '../../src/db/embedded/postgres-user.ts';
import { createDataDir } from './process.ts';
import { freePort } from './free-port.ts';

/** Starts a server of the machine's packages, of the version of its pg_dump. The superuser has no password. */
export async function startSystemPostgres(binaries: string): Promise<{ url: string; stop(): Promise<void> }> {
  const data = await createDataDir();
  const directory = join(data.path, 'cluster');
  await mkdir(directory);
  const user = await postgresUser(join(binaries, 'initdb'), data.path);
  if (user.ids) await chown(directory, user.ids.uid, user.ids.gid);
  await user.run(join(binaries, 'initdb'), [
    '-D',
    directory,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]);
  const port = await freePort();
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  const pgCtl = async (...args: string[]) => await user.run(join(binaries, 'pg_ctl'), ['-D', directory, '-w', ...args]);
  await pgCtl('start', '-l', join(directory, 'server.log'), '-o', options);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await pgCtl('stop', '-m', 'fast');
      await data.remove();
    },
  };
}
