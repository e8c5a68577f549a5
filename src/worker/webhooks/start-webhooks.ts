import { type AcrossContext, inSpan } from '../../db/connection/across-merchants.ts';
import { connect, type ConnectOptions } from '../../db/connection/connect.ts';
import { PLAIN, type Placement } from '../../db/connection/placement.ts';
import type { OutboundPolicy } from '../../outbound/endpoint.ts';
import { openOutbound } from '../../outbound/outbound.ts';
import { startInterval } from '../interval.ts';
import { LedgerSweep } from './ledger-sweep.ts';
import { openQueue } from './queue.ts';
import { startRelay } from './start-relay.ts';
import { WebhookWorker, type WorkerDependencies } from './webhook-worker.ts';

const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 15_000;
const SWEEP_INTERVAL_MS = 60_000;
/** The time until the next sweep after one that has not read all overdue deliveries. */
const SWEEP_AGAIN_MS = 5_000;

export type WebhookDependencies = Pick<
  WorkerDependencies,
  'secretKey' | 'retryDelaysMs' | 'log' | 'background' | 'metrics' | 'tracing'
> &
  OutboundPolicy &
  Pick<AcrossContext, 'across'> &
  Pick<ConnectOptions, 'onError'> & { databaseUrl: string; placement?: Placement };

export type StartedWebhooks = Pick<WebhookWorker, 'stop' | 'expectJobs'>;

/**
 * Starts the webhook worker, its ledger sweep and, on a cluster, the relay, on connections of their own, so that worker
 * and API do not wait for each other.
 */
export async function startWebhooks({
  databaseUrl,
  placement = PLAIN,
  across,
  allowHttp,
  allowPrivate,
  onError,
  ...dependencies
}: WebhookDependencies): Promise<StartedWebhooks> {
  // Opened first, because it fails if the queue cannot be used.
  const queue = await openQueue(databaseUrl, dependencies.log);
  const connection = connect(databaseUrl, {
    poolSize: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'commerce-webhooks',
    ...placement.work,
    ...(onError && { onError }),
  });
  const outbound = openOutbound({ allowHttp, allowPrivate });
  const worker = new WebhookWorker({ ...dependencies, connection, queue, outbound });
  await worker.start();
  const ctx = { db: connection.db, across };
  const relay = placement.needsRelay ? await startRelay({ ...ctx, listen: connection.listen }, dependencies) : null;
  const { log, background, tracing } = dependencies;
  const ledgerSweep = new LedgerSweep();
  const sweep = startInterval(
    async (signal, span) => {
      if (await ledgerSweep.run(inSpan(ctx, span), signal)) setTimeout(() => sweep.wake(), SWEEP_AGAIN_MS).unref();
    },
    { name: 'sweepDeliveries', intervalMs: SWEEP_INTERVAL_MS, log, background, tracing },
  );
  return {
    expectJobs: () => worker.expectJobs(),
    stop: async () => {
      await Promise.all([sweep.stop(), worker.stop(), relay?.stop()]);
      await queue.close();
      outbound.close();
      await connection.close();
    },
  };
}
