import { forgetFormerSecrets } from '../../app/forget-former-secrets.ts';
import type { Logger } from '../../context.ts';
import { connect } from '../../db/connection/connect.ts';
import { removeExpiredKeys } from '../../idempotency/remove-expired-keys.ts';
import { fetchBulkImages } from '../../image/bulk/fetch-bulk-images.ts';
import { sweepImages } from '../../image/sweep-images.ts';
import type { ImageDependencies } from '../../image/upload-image.ts';
import { BULK_IMAGES_CHANNEL } from '../../product/bulk/save-bulk-images.ts';
import { updateAllSearchDocuments, SEARCH_CHANNEL } from '../../product/search/search-documents.ts';
import { limitWaitingBytes } from '../../webhook/limit-waiting-bytes.ts';
import { removeOldDeliveries, type Retention } from '../../webhook/remove-old-deliveries.ts';
import { repeatedly } from '../interval.ts';
import { openSnapshotWatch } from './snapshot-watch.ts';

const CONNECTIONS_MAX = 2;
const STATEMENT_TIMEOUT_MS = 15_000;
const EXPIRED_KEYS_REMOVED_EVERY_MS = 10 * 60_000;
const OLD_DELIVERIES_REMOVED_EVERY_MS = 60 * 60_000;
const WAITING_BYTES_LIMITED_EVERY_MS = 60_000;
const FORMER_SECRETS_FORGOTTEN_EVERY_MS = 60 * 60_000;
const IMAGES_SWEPT_EVERY_MS = 24 * 60 * 60_000;
const SNAPSHOT_LOOKED_AT_EVERY_MS = 5 * 60_000;
/** What is to be fetched announces itself; this is for what is tried again, and for announcements that were lost. */
const BULK_IMAGES_FETCHED_EVERY_MS = 10_000;
/** Marks announce themselves, but not those set within 0.1 s of an announcement. A search of the merchant writes these itself. */
const SEARCHES_CAUGHT_UP_EVERY_MS = 10_000;

export type UpkeepNeeds = {
  databaseUrl: string;
  images: ImageDependencies;
  retention: Retention & { waitingBytesMax: number };
  log: Logger;
};

/** What is done for all merchants beside their requests, on connections of its own, so that no request waits behind it. */
export async function startUpkeep({
  databaseUrl,
  images,
  retention,
  log,
}: UpkeepNeeds): Promise<{ stop(): Promise<void> }> {
  const connection = connect(databaseUrl, {
    poolSize: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'commerce-upkeep',
  });
  const { db } = connection;
  const removal = repeatedly(async () => await removeExpiredKeys(db), {
    name: 'removeExpiredKeys',
    everyMs: EXPIRED_KEYS_REMOVED_EVERY_MS,
    log,
  });
  const forgetting = repeatedly(async () => await removeOldDeliveries(db, retention), {
    name: 'removeOldDeliveries',
    everyMs: OLD_DELIVERIES_REMOVED_EVERY_MS,
    log,
  });
  const limiting = repeatedly(async () => await limitWaitingBytes(db, retention), {
    name: 'limitWaitingBytes',
    everyMs: WAITING_BYTES_LIMITED_EVERY_MS,
    log,
  });
  const secrets = repeatedly(async () => await forgetFormerSecrets(db), {
    name: 'forgetFormerSecrets',
    everyMs: FORMER_SECRETS_FORGOTTEN_EVERY_MS,
    log,
  });
  const sweep = repeatedly(async (signal) => await sweepImages({ db, storage: images.storage }, { signal }), {
    name: 'sweepImages',
    everyMs: IMAGES_SWEPT_EVERY_MS,
    log,
  });
  const fetching = repeatedly(async (signal) => await fetchBulkImages({ db, log, ...images }, { signal }), {
    name: 'fetchBulkImages',
    everyMs: BULK_IMAGES_FETCHED_EVERY_MS,
    log,
  });
  const searches = repeatedly(async (signal) => await updateAllSearchDocuments(db, signal), {
    name: 'updateAllSearchDocuments',
    everyMs: SEARCHES_CAUGHT_UP_EVERY_MS,
    log,
  });
  const snapshots = repeatedly(openSnapshotWatch(db, log), {
    name: 'openSnapshotWatch',
    everyMs: SNAPSHOT_LOOKED_AT_EVERY_MS,
    log,
  });
  await connection.listen(
    SEARCH_CHANNEL,
    () => searches.wake(),
    () => searches.wake(),
  );
  await connection.listen(
    BULK_IMAGES_CHANNEL,
    () => fetching.wake(),
    () => fetching.wake(),
  );
  return {
    stop: async () => {
      await Promise.all(
        [removal, forgetting, limiting, secrets, sweep, fetching, searches, snapshots].map(
          async (repeating) => await repeating.stop(),
        ),
      );
      await connection.close();
    },
  };
}
