import { join } from 'node:path';
import { makeFolder } from '../../installation/make-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { fileLock, tryFileLock } from './file-lock.ts';

export type EmbeddedLease = Pick<EmbeddedPostgres, 'url' | 'servingUrl'> & {
  /** Gives up the lease. Resolves to true if this process was the last one, so that the database was stopped. */
  release: () => Promise<boolean>;
};

/**
 * Shares the embedded database between the service and the commands. The first one starts it, the last one stops it;
 * a lock serialises both.
 */
export async function leaseEmbeddedPostgres(dataDir: string): Promise<EmbeddedLease> {
  await makeFolder(dataDir);
  const turnPath = join(dataDir, 'start-or-stop.lock');
  const usersPath = join(dataDir, 'users.lock');
  const turn = await fileLock(turnPath, 'exclusive');
  try {
    const server = await startEmbeddedPostgres(dataDir);
    const use = await fileLock(usersPath, 'shared');
    return {
      url: server.url,
      servingUrl: server.servingUrl,
      release: async () => {
        const turn = await fileLock(turnPath, 'exclusive');
        try {
          use.release();
          const alone = tryFileLock(usersPath, 'exclusive');
          if (alone) await server.stop();
          alone?.release();
          return alone !== null;
        } finally {
          turn.release();
        }
      },
    };
  } finally {
    turn.release();
  }
}
