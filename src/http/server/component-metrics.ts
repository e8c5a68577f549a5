import { setTimeout as wait } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { HistoryFigures } from '../../change/limit-histories.ts';
import type { PoolCounts } from '../../db/connection/connect.ts';
import type { DecoderCounts } from '../../image/decoder.ts';
import type { StockFigures } from '../../stock/stock-figures.ts';
import type { LedgerFigures } from '../../webhook/ledger/ledger-figures.ts';
import type { FairLimiter } from '../admission/fair-limiter.ts';
import type { Metrics } from './metrics.ts';

/** The ledger is read at most this often, since anybody may read the metrics. */
const LEDGER_INTERVAL_MS = 5_000;
/**
 * A response with metrics waits this long for the figures of the ledger; later figures are in the next response. While
 * PostgreSQL does not answer, a statement fails only after 15 to 20 s.
 */
const LEDGER_WAIT_MS = 1_000;

/** Registers the metrics of concurrent, waiting and refused GraphQL requests. */
export function measureLimiters({ registry }: Metrics, limiters: readonly FairLimiter[]): void {
  const sum = (count: keyof FairLimiter['counts']): number =>
    limiters.reduce((sum, { counts }) => sum + counts[count], 0);
  gauge(registry, 'http_requests_executing', 'GraphQL requests that are being executed.', () => sum('active'));
  gauge(registry, 'http_requests_waiting', 'GraphQL requests that wait for their turn.', () => sum('waiting'));
  new Counter({
    name: 'http_requests_refused_total',
    help: 'GraphQL requests refused because too many waited, or because they waited too long.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(sum('refused'));
    },
  });
}

/** Registers the connections of each pool, by the name of the pool. */
export function measurePools({ registry }: Metrics, pools: Record<string, { counts: () => PoolCounts }>): void {
  gauges(registry, 'pool', () => Object.entries(pools).map(([pool, { counts }]) => [pool, counts()]), [
    ['database_connections', 'Size of the pool.', 'size'],
    ['database_connections_in_use', 'Connections with a statement or transaction.', 'inUse'],
    ['database_statements_waiting', 'Statements and transactions that wait for a connection.', 'waiting'],
  ]);
}

/** Registers the queues of the picture decoder: of uploads, and of renditions that are requested. */
export function measureDecoder({ registry }: Metrics, counts: () => Record<string, DecoderCounts>): void {
  gauges(registry, 'queue', () => Object.entries(counts()), [
    ['image_decodes_running', 'Pictures that are decoded.', 'running'],
    ['image_decodes_waiting', 'Pictures that wait for a process.', 'waiting'],
  ]);
}

/** Registers what is in the ledger. `read` is called when the metrics are read, at most every five seconds. */
export function measureLedger(metrics: Metrics, read: () => Promise<LedgerFigures>): void {
  let last = UNKNOWN;
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;
  const update = async (): Promise<void> => {
    // A failure must not hide the other metrics, which matter most while the database is unavailable.
    last = await read().catch(() => UNKNOWN);
    reading = null;
  };
  metrics.beforeReading(async () => {
    if (reading === null && performance.now() - readAtMs >= LEDGER_INTERVAL_MS) {
      readAtMs = performance.now();
      reading = update();
    }
    if (reading !== null) await Promise.race([reading, wait(LEDGER_WAIT_MS, undefined, { ref: false })]);
  });
  const of = (figure: keyof LedgerFigures) => () => last[figure];
  const { registry } = metrics;
  const help = 'Deliveries that are still to be made, those of paused webhooks too; counted up to 100,000.';
  gauge(registry, 'webhook_deliveries_waiting', help, of('waiting'));
  gauge(
    registry,
    'webhook_oldest_delivery_due_seconds',
    'Seconds since the oldest delivery was due, of the 100 oldest pending ones of each active webhook.',
    of('oldestDueS'),
  );
  gauge(registry, 'webhooks_paused', 'Webhooks that are paused.', of('pausedWebhooks'));
}

/** Registers what the histories of all merchants have. The worker calls the returned function when it has measured them. */
export function measureHistories({ registry }: Metrics): (figures: HistoryFigures) => void {
  let last: HistoryFigures | null = null;
  const help = ', measured every ten minutes.';
  const figure = (name: string, text: string, of: (figures: HistoryFigures) => number): void =>
    gauge(registry, name, text + help, () => (last === null ? Number.NaN : of(last)));
  figure('history_changes', 'Kept changes of all merchants', ({ changes }) => changes);
  figure('history_bytes', 'Bytes of the values of the kept changes', ({ bytes }) => bytes);
  figure('history_oldest_change_seconds', 'Age of the oldest kept change', ({ oldestS }) => oldestS);
  figure('histories_full', 'Merchants whose history has HISTORY_MAX_BYTES', ({ full }) => full.length);
  return (figures) => void (last = figures);
}

/** Registers what the tables of stock have. The worker calls the returned function when it has measured them. */
export function measureStock({ registry }: Metrics): (figures: readonly StockFigures[]) => void {
  let last: readonly StockFigures[] = [];
  const help = ', by table, measured every hour.';
  gauges(registry, 'table', () => last.map((figures) => [figures.table, figures]), [
    ['stock_rows', `Stock movements, holds and keys of all merchants${help}`, 'rows'],
    ['stock_bytes', `Bytes of stock movements, holds and keys, with their indexes${help}`, 'bytes'],
    ['stock_oldest_row_seconds', `Age of the oldest stock movement, hold and key${help}`, 'oldestS'],
  ]);
  return (figures) => void (last = figures);
}

/** Registers the size of the ledger. The worker calls the returned function when it has measured it. */
function measureLedgerBytes({ registry }: Metrics): (bytes: number) => void {
  let last = Number.NaN;
  const help = 'Bytes of the deliveries of all merchants, with their payloads and indexes, measured every ten minutes.';
  gauge(registry, 'webhook_ledger_bytes', help, () => last);
  return (bytes) => void (last = bytes);
}

/** Registers what the upkeep of a worker measures. */
export function measureUpkeep(metrics: Metrics) {
  return {
    onHistories: measureHistories(metrics),
    onLedgerBytes: measureLedgerBytes(metrics),
    onStock: measureStock(metrics),
  };
}

const UNKNOWN: LedgerFigures = { waiting: Number.NaN, oldestDueS: Number.NaN, pausedWebhooks: Number.NaN };

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Registers a gauge for each figure. `read` returns the values of the label, each with its figures. */
function gauges<Figure extends string>(
  registry: Registry,
  label: string,
  read: () => [value: string, Record<Figure, number>][],
  figures: readonly [name: string, help: string, figure: Figure][],
): void {
  for (const [name, help, figure] of figures)
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [value, found] of read()) this.set({ [label]: value }, found[figure]);
      },
    });
}
