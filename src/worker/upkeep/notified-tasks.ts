import { PLAIN } from '../../db/connection/placement.ts';
import { fetchBulkImages } from '../../image/bulk/fetch-bulk-images.ts';
import { BULK_IMAGES_CHANNEL } from '../../product/bulk/save-bulk-images.ts';
import {
  MEMBERSHIP_CHANNEL,
  type MembershipEvents,
  updateMemberships,
} from '../../product/membership/update-memberships.ts';
import { updateAllSearchDocuments, SEARCH_CHANNEL } from '../../product/search/search-documents.ts';
import { continueReverts } from '../../revert/continue-reverts.ts';
import { REVERT_CHANNEL } from '../../revert/start-revert-run.ts';
import type { Interval } from '../interval.ts';
import { logFailure } from '../log-failure.ts';
import type { Every, UpkeepDependencies } from './start-upkeep.ts';

/** New pictures notify the worker. The interval is for retries and lost notifications. */
const FETCH_BULK_IMAGES_INTERVAL_MS = 10_000;
/** New reverts notify the worker. The interval is for those that a killed worker left. */
const CONTINUE_REVERTS_INTERVAL_MS = 10_000;
/**
 * Changes notify the worker, but not those within 0.1 s of an earlier notification. A search catches up with its own
 * merchant, so that no search waits for this.
 */
const UPDATE_SEARCH_DOCUMENTS_INTERVAL_MS = 10_000;
/**
 * Changes notify the worker, which also looks for work when it connects. The interval is for what a killed worker left, for
 * a change whose transaction lasts longer than UPDATE_MEMBERSHIPS_AFTER_WAKE.
 */
const UPDATE_MEMBERSHIPS_INTERVAL_MS = 30_000;
/**
 * A change within 0.1 s of a notification does not notify. The worker may run before that change is committed, so it runs
 * again for some seconds.
 */
const UPDATE_MEMBERSHIPS_AFTER_WAKE = { intervalMs: 1_000, forMs: 10_000 };
/** How soon the worker looks again whether the transactions that a new automated category waits for have ended. */
const RECHECK_MEMBERSHIPS_MS = 1_000;
/**
 * The interval of search documents and memberships on a cluster, where triggers cannot notify the worker. Reading all
 * shards takes 7 ms with 32 of them, also for changes by plain SQL, which no notification of the service announces.
 */
const POLL_CLUSTER_INTERVAL_MS = 500;

/** Starts the tasks that notifications wake before their interval is over. Returns their intervals by channel. */
export function startNotifiedTasks(
  every: Every,
  { images, webhook, log, background, placement = PLAIN }: UpkeepDependencies,
): Map<string, Interval> {
  const pictures = every(FETCH_BULK_IMAGES_INTERVAL_MS, 'fetchBulkImages', (ctx, signal) =>
    fetchBulkImages({ ...ctx, log, ...images }, { signal }),
  );
  const reverts = every(CONTINUE_REVERTS_INTERVAL_MS, 'continueReverts', (ctx, signal) =>
    continueReverts({ ...ctx, log, webhook }, signal),
  );
  const interval = (intervalMs: number): number => (placement.needsRelay ? POLL_CLUSTER_INTERVAL_MS : intervalMs);
  const searches = every(
    interval(UPDATE_SEARCH_DOCUMENTS_INTERVAL_MS),
    'updateAllSearchDocuments',
    updateAllSearchDocuments,
  );
  const events: MembershipEvents = {
    onWaiting: () => setTimeout(() => memberships.wake(), RECHECK_MEMBERSHIPS_MS).unref(),
    onFailure: (error) => logFailure({ log, background }, 'error', error, 'updateMemberships'),
  };
  const memberships = every(
    interval(UPDATE_MEMBERSHIPS_INTERVAL_MS),
    'updateMemberships',
    (ctx, signal) => updateMemberships(ctx, signal, events),
    placement.needsRelay ? undefined : UPDATE_MEMBERSHIPS_AFTER_WAKE,
  );
  return new Map([
    [BULK_IMAGES_CHANNEL, pictures],
    [REVERT_CHANNEL, reverts],
    [SEARCH_CHANNEL, searches],
    [MEMBERSHIP_CHANNEL, memberships],
  ]);
}
