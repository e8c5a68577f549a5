import { connect } from '../../db/connection/connect.ts';
import type { OutboundPolicy } from '../../outbound/endpoint.ts';
import { openOutbound } from '../../outbound/outbound.ts';
import { openQueue } from './queue.ts';
import { repeatedly } from '../interval.ts';
import { openSweep } from './ledger-sweep.ts';
import { WebhookWorker, type WorkerNeeds } from './webhook-worker.ts';

const CONNECTIONS_MAX = 4;
const STATEMENT_TIMEOUT_MS = 15_000;
const SWEPT_EVERY_MS = 60_000;

export type WebhookNeeds = Pick<WorkerNeeds, 'secretKey' | 'retryDelaysMs' | 'log' | 'metrics'> &
  OutboundPolicy & { databaseUrl: string };

/** Everything that sends webhooks, on connections of its own, so that it and the API do not wait for each other. */
export async function startWebhooks({
  databaseUrl,
  allowHttp,
  allowPrivate,
  ...needs
}: WebhookNeeds): Promise<{ stop(): Promise<void> }> {
  const connection = connect(databaseUrl, {
    poolSize: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'commerce-webhooks',
  });
  const outbound = openOutbound({ allowHttp, allowPrivate });
  const queue = await openQueue(databaseUrl, needs.log);
  const worker = new WebhookWorker({ ...needs, connection, queue, outbound });
  await worker.start();
  const sweep = repeatedly(openSweep(connection.db), {
    name: 'sweepDeliveries',
    everyMs: SWEPT_EVERY_MS,
    log: needs.log,
  });
  return {
    stop: async () => {
      await Promise.all([sweep.stop(), worker.stop()]);
      await queue.close();
      outbound.close();
      await connection.close();
    },
  };
}
