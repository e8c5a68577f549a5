import { setTimeout as wait } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
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

type GaugeOptions = { name: string; help: string };

/** Registers the metrics of concurrent, waiting and refused GraphQL requests. */
export function measureLimiters({ registry }: Metrics, limiters: readonly FairLimiter[]): void {
  const sum = (count: keyof FairLimiter['counts']): number =>
    limiters.reduce((sum, { counts }) => sum + counts[count], 0);
  gauge(registry, { name: 'http_requests_executing', help: 'GraphQL requests that are being executed.' }, () =>
    sum('active'),
  );
  gauge(registry, { name: 'http_requests_waiting', help: 'GraphQL requests that wait for their turn.' }, () =>
    sum('waiting'),
  );
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
  const of = (count: keyof PoolCounts) =>
    Object.entries(pools).map(([pool, { counts }]) => [{ pool }, counts()[count]] as const);
  labelledGauge(registry, { name: 'database_connections', help: 'Size of the pool.' }, 'pool', () => of('size'));
  labelledGauge(
    registry,
    { name: 'database_connections_in_use', help: 'Connections with a statement or transaction.' },
    'pool',
    () => of('inUse'),
  );
  labelledGauge(
    registry,
    { name: 'database_statements_waiting', help: 'Statements and transactions that wait for a connection.' },
    'pool',
    () => of('waiting'),
  );
}

/** Registers the queues of the picture decoder: of uploads, and of renditions that are requested. */
export function measureDecoder({ registry }: Metrics, counts: () => Record<string, DecoderCounts>): void {
  const of = (count: keyof DecoderCounts) =>
    Object.entries(counts()).map(([queue, found]) => [{ queue }, found[count]] as const);
  labelledGauge(registry, { name: 'image_decodes_running', help: 'Pictures that are decoded.' }, 'queue', () =>
    of('running'),
  );
  labelledGauge(registry, { name: 'image_decodes_waiting', help: 'Pictures that wait for a process.' }, 'queue', () =>
    of('waiting'),
  );
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
  metrics.prepareReading = async () => {
    if (reading === null && performance.now() - readAtMs >= LEDGER_INTERVAL_MS) {
      readAtMs = performance.now();
      reading = update();
    }
    if (reading !== null) await Promise.race([reading, wait(LEDGER_WAIT_MS, undefined, { ref: false })]);
  };
  const of = (figure: keyof LedgerFigures) => () => last[figure];
  const { registry } = metrics;
  const help = 'Deliveries that are still to be made, those of paused webhooks too; counted up to 100,000.';
  gauge(registry, { name: 'webhook_deliveries_waiting', help }, of('waiting'));
  gauge(
    registry,
    {
      name: 'webhook_oldest_delivery_due_seconds',
      help: 'Seconds since the oldest delivery was due, of the 100 oldest pending ones of each active webhook.',
    },
    of('oldestDueS'),
  );
  gauge(registry, { name: 'webhooks_paused', help: 'Webhooks that are paused.' }, of('pausedWebhooks'));
}

/** Registers what the histories of all merchants have. The worker calls the returned function when it has measured them. */
export function measureHistories({ registry }: Metrics): (figures: HistoryFigures) => void {
  let last: HistoryFigures | null = null;
  const help = ', measured every ten minutes.';
  const figure = (name: string, text: string, of: (figures: HistoryFigures) => number): void =>
    gauge(registry, { name, help: text + help }, () => (last === null ? Number.NaN : of(last)));
  figure('history_changes', 'Kept changes of all merchants', ({ changes }) => changes);
  figure('history_bytes', 'Bytes of the values of the kept changes', ({ bytes }) => bytes);
  figure('history_oldest_change_seconds', 'Age of the oldest kept change', ({ oldestS }) => oldestS);
  figure('histories_full', 'Merchants whose history has HISTORY_MAX_BYTES', ({ full }) => full.length);
  return (figures) => void (last = figures);
}

/** Registers what the tables of stock have. The worker calls the returned function when it has measured them. */
export function measureStock({ registry }: Metrics): (figures: readonly StockFigures[]) => void {
  let last: readonly StockFigures[] = [];
  const figure = (name: string, text: string, of: 'rows' | 'bytes' | 'oldestS'): void =>
    labelledGauge(registry, { name, help: `${text}, by table, measured every hour.` }, 'table', () =>
      last.map((figures) => [{ table: figures.table }, figures[of]] as const),
    );
  figure('stock_rows', 'Stock movements, holds and keys of all merchants', 'rows');
  figure('stock_bytes', 'Bytes of stock movements, holds and keys, with their indexes', 'bytes');
  figure('stock_oldest_row_seconds', 'Age of the oldest stock movement, hold and key', 'oldestS');
  return (figures) => void (last = figures);
}

/** Registers what the upkeep of a worker measures. */
export function measureUpkeep(metrics: Metrics) {
  return { onHistories: measureHistories(metrics), onStock: measureStock(metrics) };
}

const UNKNOWN: LedgerFigures = { waiting: Number.NaN, oldestDueS: Number.NaN, pausedWebhooks: Number.NaN };

function gauge(registry: Metrics['registry'], options: GaugeOptions, read: () => number): void {
  new Gauge({
    ...options,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function labelledGauge(
  registry: Metrics['registry'],
  options: GaugeOptions,
  label: string,
  read: () => (readonly [Record<string, string>, number])[],
): void {
  new Gauge({
    ...options,
    labelNames: [label],
    registers: [registry],
    collect() {
      for (const [labels, value] of read()) this.set(labels, value);
    },
  });
}
