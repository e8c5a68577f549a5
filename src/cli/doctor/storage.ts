import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { openStorage, type ImageStorage } from '../../image/storage.ts';
import { readOwnership } from '../../image/storage-owner.ts';
import { NoFoldersError } from '../../installation/make-folder.ts';
import { ownCommand } from '../../installation/own-command.ts';
import { argument, Broken, type Check, messageOf, superuserOf, type Warning } from './check.ts';
import type { Subject } from './subject.ts';

const TEST_BYTES = 64;
const S3_PERMISSIONS = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';

export const storageCheck: Check = {
  name: 'storage',
  tried: 'write a picture, read it and remove it',
  repair: 'df -h; id',
  run: storage,
};

async function storage(subject: Subject): Promise<string | Warning> {
  const { storageUrl } = subject.config;
  let opened;
  try {
    opened = await openStorage(storageUrl);
    await testObject(opened);
    return (await foreignStorage(subject, opened)) ?? `${storageUrl} can be written and read by this user`;
  } catch (error) {
    if (error instanceof Broken) throw error;
    throw new Broken(`${storageUrl}: ${(error as Error).message}`, storageRepair(storageUrl, error));
  } finally {
    opened?.close();
  }
}

async function testObject(opened: ImageStorage): Promise<void> {
  const key = `doctor-${randomUUID()}`;
  const bytes = randomBytes(TEST_BYTES);
  await opened.write(key, bytes, 'application/octet-stream');
  const read = await opened.read(key);
  await opened.delete(key);
  // Without `s3:ListBucket` S3 refuses lists, and answers 403 instead of 404 if an object does not exist.
  if (await opened.read(key)) throw new Error('what was removed can still be read');
  for await (const _ of opened.list(`${key}/`)) break;
  if (!read?.equals(bytes)) throw new Error('other bytes were read than were written');
}

/** A warning if the storage belongs to another database, as that of the service after a copy of its database was started. */
async function foreignStorage(subject: Subject, opened: ImageStorage): Promise<Warning | null> {
  const { databaseUrl } = await subject.environment();
  const { reason } = await readOwnership({ db: await subject.db() }, opened).catch((error: unknown) => {
    throw new Broken(messageOf(error), grantIdentity(databaseUrl));
  });
  if (reason === null) return null;
  return {
    detail: `${reason}, so no pictures are removed and no receipts of erasures are written`,
    repair: `${ownCommand('storage take-over')}   # if the other one is no longer used; otherwise another STORAGE_URL`,
  };
}

/** Every role may execute it unless the administrator has revoked that. */
function grantIdentity(databaseUrl: string): string {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  return `psql ${superuserOf(databaseUrl)} -d ${argument(name)} -c 'grant execute on function pg_control_system() to public'`;
}

function storageRepair(storageUrl: string, error: unknown): string {
  if (error instanceof NoFoldersError) return 'export STORAGE_URL=file:///…   # a folder on a disk';
  const url = new URL(storageUrl);
  if (url.protocol === 's3:')
    return `aws s3 ls s3://${url.host}${url.pathname}   # with the service's credentials, which need ${S3_PERMISSIONS}`;
  const folder = argument(fileURLToPath(url));
  return `mkdir -p ${folder} && chown "$(id -u)" ${folder} && df -h ${folder}   # or correct STORAGE_URL`;
}
