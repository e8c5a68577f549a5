import { deleteFormerSecrets } from '../../app/credentials/delete-former-secrets.ts';
import type { WebhookDependencies } from '../../context.ts';
import { type AcrossContext, inSpan } from '../../db/connection/across-merchants.ts';
import { connect, type ConnectOptions } from '../../db/connection/connect.ts';
import { PLAIN, type Placement } from '../../db/connection/placement.ts';
import { tableBytes } from '../../db/read/table-bytes.ts';
import { type HistoryFigures, limitHistories } from '../../change/limit-histories.ts';
import { removeOldChanges } from '../../change/remove-old-changes.ts';
import { copyReceipts } from '../../customer/erasure/copy-receipts.ts';
import { eraseDeletedCustomers } from '../../customer/erasure/erase-deleted-customers.ts';
import { type ErasureLog, openErasureLog } from '../../customer/erasure/erasure-log.ts';
import { removeExpiredKeys } from '../../idempotency/remove-expired-keys.ts';
import type { ImageStorage } from '../../image/storage.ts';
import { claimStorage } from '../../image/storage-owner.ts';
import { sweepImages } from '../../image/sweep-images.ts';
import type { ImageDependencies } from '../../image/upload-image.ts';
import { removeUnusedWords } from '../../product/search/remove-unused-words.ts';
import { removeOldHolds } from '../../stock/hold/remove-old-holds.ts';
import { removeOldStockKeys } from '../../stock/entry/remove-old-stock-keys.ts';
import { foldMovements } from '../../stock/movement/fold-movements.ts';
import { expireHolds, limitHolds } from '../../stock/hold/expire-holds.ts';
import { type StockFigures, stockFigures } from '../../stock/stock-figures.ts';
import type { Tracing } from '../../tracing/span.ts';
import { removeOldUsage } from '../../usage/remove-old-usage.ts';
import { removeOldAttemptCounts } from '../../webhook/ledger/attempt-counts.ts';
import { limitWaitingBytes } from '../../webhook/ledger/limit-waiting-bytes.ts';
import { probeWebhooks } from '../../webhook/ledger/probe-webhooks.ts';
import { removeOldDeliveries, type Retention } from '../../webhook/ledger/remove-old-deliveries.ts';
import { type Interval, type IntervalOptions, startInterval, type Task } from '../interval.ts';
import type { FailureReports } from '../log-failure.ts';
import { startNotifiedTasks } from './notified-tasks.ts';
import { LAST_TIMES, NotificationWatch, PUSH_CHANNEL } from './notification-watch.ts';
import { snapshotWatch } from './snapshot-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A merchant has three of them while it is the only one, so that one is free for all others while it waits for locks. */
const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 15_000;
/** A restore of a backup repeats the erasures whose receipts have a copy, so receipts are copied soon. */
const COPY_RECEIPTS_INTERVAL_MS = 10_000;
/** Holds end by the database's clock. This is how late their events may be. */
const EXPIRE_HOLDS_INTERVAL_MS = 10_000;
/** Counting 1,000,000 rows takes 0.3 s, and movements are kept for ever. */
const MEASURE_STOCK_INTERVAL_MS = HOUR_MS;
/** A task that runs more often polls a cluster, and mostly finds nothing. Its traces would be most of all traces. */
const MIN_TRACED_INTERVAL_MS = 1_000;

type UpkeepTask = (ctx: AcrossContext, signal: AbortSignal) => Promise<unknown>;

export type UpkeepDependencies = {
  databaseUrl: string;
  images: ImageDependencies;
  webhook: WebhookDependencies;
  retention: Retention & { maxWaitingBytes: number };
  history: { readonly keepDays: number; readonly maxBytes: number };
  stock: { readonly movementKeepDays: number | null; readonly holdKeepDays: number };
  /** Gets what the histories of all merchants have, when it was measured. */
  onHistories?: (figures: HistoryFigures) => void;
  /** Gets the size of the ledger, when it was measured. */
  onLedgerBytes?: (bytes: number) => void;
  /** Called when the worker of webhooks may not have been notified of pushes. */
  onUnnotifiedPushes?: () => void;
  /** Gets what the tables of stock have, when it was measured. */
  onStock?: (figures: readonly StockFigures[]) => void;
  /** `log`: where receipts are copied to. `keepDeletedDays`: 0 to keep deleted customers. */
  erasure: { readonly log?: string | undefined; readonly keepDeletedDays: number };
  placement?: Placement;
  /** With it each run of a task is a trace. */
  tracing?: Tracing | undefined;
} & FailureReports &
  Pick<AcrossContext, 'across'> &
  Pick<ConnectOptions, 'onError'>;

export type Every = (
  intervalMs: number,
  name: string,
  task: UpkeepTask,
  afterWake?: IntervalOptions['afterWake'],
) => Interval;

/** Runs the periodic tasks of all merchants, on connections of their own, so that no request waits for them. */
export async function startUpkeep(dependencies: UpkeepDependencies): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, placement = PLAIN, across, log, background, tracing, onError } = dependencies;
  const notified = new Map<string, Interval>();
  const watch = new NotificationWatch((channel) => {
    if (channel === PUSH_CHANNEL) dependencies.onUnnotifiedPushes?.();
    else notified.get(channel)?.wake();
  });
  const connection = connect(databaseUrl, {
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'commerce-upkeep',
    ...placement.work,
    // On a cluster no trigger notifies.
    ...(!placement.needsRelay && { ping: { text: LAST_TIMES, read: (rows) => watch.read(rows) } }),
    ...(onError && { onError }),
  });
  const databases = { db: connection.db, across };
  const intervals: Interval[] = [];
  const every: Every = (intervalMs, name, task, afterWake) => {
    const traced = intervalMs < MIN_TRACED_INTERVAL_MS ? {} : { tracing };
    const run: Task = async (signal, span) => await task(inSpan(databases, span), signal);
    const interval = startInterval(run, { name, intervalMs, afterWake, log, background, ...traced });
    intervals.push(interval);
    return interval;
  };
  startTimedTasks(every, dependencies);
  startErasureTasks(every, dependencies);
  for (const [channel, interval] of startNotifiedTasks(every, dependencies)) notified.set(channel, interval);
  for (const [channel, interval] of notified) {
    const wake = () => interval.wake();
    await connection.listen(channel, wake, wake);
  }
  return {
    stop: async () => {
      await Promise.all(intervals.map((interval) => interval.stop()));
      await connection.close();
    },
  };
}

function startErasureTasks(every: Every, { images, erasure }: UpkeepDependencies): void {
  const { log: target, keepDeletedDays } = erasure;
  if (target !== undefined) {
    const receipts = openErasureLog(target, images.storage);
    every(COPY_RECEIPTS_INTERVAL_MS, 'copyReceipts', (ctx, signal) =>
      copyReceipts(ctx, ofOwner(ctx, images.storage, receipts), signal),
    );
  }
  if (keepDeletedDays > 0)
    every(HOUR_MS, 'eraseDeletedCustomers', (ctx, signal) => eraseDeletedCustomers(ctx, keepDeletedDays, signal));
}

/**
 * A copy of the database, such as a restored backup, must not write receipts: those of customers who were erased in the copy
 * alone would erase them in the original after its next restore.
 */
function ofOwner(ctx: AcrossContext, storage: ImageStorage, log: ErasureLog): ErasureLog {
  return {
    write: async (receipts) => {
      await claimStorage(ctx, storage);
      await log.write(receipts);
    },
  };
}

function startTimedTasks(every: Every, dependencies: UpkeepDependencies): void {
  const {
    images,
    retention,
    history,
    stock,
    onHistories,
    onLedgerBytes,
    onStock,
    log,
    placement = PLAIN,
  } = dependencies;
  const watchSnapshots = snapshotWatch(log);
  every(10 * MINUTE_MS, 'removeExpiredKeys', removeExpiredKeys);
  every(HOUR_MS, 'removeOldDeliveries', (ctx, signal) => removeOldDeliveries(ctx, retention, signal));
  every(HOUR_MS, 'removeOldAttemptCounts', removeOldAttemptCounts);
  every(HOUR_MS, 'removeOldChanges', (ctx, signal) => removeOldChanges(ctx, history.keepDays, signal));
  every(10 * MINUTE_MS, 'limitHistories', async (ctx, signal) => {
    const figures = await limitHistories(ctx, history.maxBytes, { signal });
    onHistories?.(figures);
  });
  every(10 * MINUTE_MS, 'ledgerBytes', async ({ db }) =>
    onLedgerBytes?.(await tableBytes(db, 'webhook_delivery', placement.needsRelay)),
  );
  every(HOUR_MS, 'foldMovements', (ctx, signal) => foldMovements(ctx, stock.movementKeepDays, signal));
  every(HOUR_MS, 'removeOldStockKeys', removeOldStockKeys);
  every(HOUR_MS, 'removeOldHolds', (ctx, signal) => removeOldHolds(ctx, stock.holdKeepDays, signal));
  every(EXPIRE_HOLDS_INTERVAL_MS, 'expireHolds', expireHolds);
  every(MINUTE_MS, 'limitHolds', (ctx, signal) => limitHolds(ctx, undefined, signal));
  every(MEASURE_STOCK_INTERVAL_MS, 'stockFigures', async (ctx, signal) => {
    const figures = await stockFigures(ctx, placement.needsRelay, { signal });
    onStock?.(figures);
  });
  every(HOUR_MS, 'removeOldUsage', removeOldUsage);
  // All that waits is counted each time.
  every(5 * MINUTE_MS, 'limitWaitingBytes', (ctx, signal) => limitWaitingBytes(ctx, retention, signal));
  every(MINUTE_MS, 'probeWebhooks', probeWebhooks);
  every(HOUR_MS, 'deleteFormerSecrets', deleteFormerSecrets);
  every(24 * HOUR_MS, 'removeUnusedWords', removeUnusedWords);
  every(24 * HOUR_MS, 'sweepImages', (ctx, signal) => sweepImages({ ...ctx, ...images }, { signal }));
  every(5 * MINUTE_MS, 'snapshotWatch', ({ db }) => watchSnapshots(db));
}
