import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { countUncopied } from '../../customer/erasure/copy-receipts.ts';
import { IN_STORAGE } from '../../customer/erasure/erasure-log.ts';
import { ownCommand } from '../../installation/own-command.ts';
import { hostAndPort } from '../../values/connection-url.ts';
import type { Check, Warning } from './check.ts';
import type { Subject } from './subject.ts';

export const erasuresCheck: Check = {
  name: 'erasures',
  tried: 'look for receipts of erasures without a copy outside the database',
  repair: ownCommand('migrate'),
  run: erasures,
};

/** Not an error: the service works, but a restored backup would bring erased persons back. */
async function erasures(subject: Subject): Promise<string | Warning> {
  const count = await countUncopied({ across: await subject.across() });
  if (count > 0)
    return `${count} have none, so a restored backup could not be erased again: see "Erased customers" in docs/running.md`;
  const { databaseUrl, isEmbedded } = await subject.environment();
  const place = placeInDataDir(subject.config);
  if (place === null || !(isEmbedded || isLocal(databaseUrl))) return 'all that are older than ten minutes have one';
  return {
    detail: `ERASURE_LOG writes them to ${place} on the machine of the database: a disk that fails takes both`,
    repair: 'export ERASURE_LOG=/OTHER_DISK/erasures.log   # keep the former receipts too; after a restore repeat both',
  };
}

/** The file or folder of the receipts, if it is in DATA_DIR, the only folder that the systemd unit can write. */
function placeInDataDir({ erasure: { log }, storageUrl, dataDir }: Config): string | null {
  if (log === undefined || (log === IN_STORAGE && !storageUrl.startsWith('file:'))) return null;
  const place = resolve(log === IN_STORAGE ? fileURLToPath(storageUrl) : log);
  const path = relative(resolve(dataDir), place);
  return path.startsWith('..') || isAbsolute(path) ? null : place;
}

function isLocal(databaseUrl: string): boolean {
  const [host] = hostAndPort(databaseUrl);
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
