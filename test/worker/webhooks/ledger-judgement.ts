import { sql } from 'drizzle-orm';
import type { Connection } from '../../../src/db/connection/connect.ts';
import type { LedgerErasures } from './ledger-erasures.ts';
import type { LedgerRefusals } from './ledger-refusals.ts';
import { type Received, until } from './receiver.ts';

const ARRIVES_WITHIN_MS = 120_000;
/** The maximum of concurrent requests of one process. */
const SENDING_MAX = 128;

/**
 * Members of the result of a run that delivered each committed change and erasure, nothing else, and nothing more than three
 * times, and that kept no value of an erased customer.
 */
export const EXACT = {
  vanished: [],
  lost: [],
  unexpected: [],
  overAttempted: [],
  gaps: [],
  pending: [],
  misjudged: [],
  notErased: [],
  withoutOneReceipt: [],
  tablesWithNames: [],
  lateNames: [],
};

/** What a run leaves behind. */
export type LedgerTraces = {
  connection: Pick<Connection, 'db'>;
  merchantId: string;
  receiver: { received: readonly Received[] };
  refusals: LedgerRefusals;
  erasures: LedgerErasures;
};

/** The ids of the customers of changes, by what the writer knows of them. */
export type LedgerOutcomes = {
  committed: ReadonlySet<string>;
  unsure: ReadonlySet<string>;
  rolledBack: ReadonlySet<string>;
};

/** The first arrival of the push of each new customer, by its id. */
export function arrivalsOf(received: readonly Received[]): Map<string, number> {
  const arrived = new Map<string, number>();
  for (const { body, atMs } of received) {
    const id = recordIdIn(body);
    if (body.sequence === 1 && !arrived.has(id)) arrived.set(id, atMs);
  }
  return arrived;
}

/** Ends all erasures, waits until everything is delivered or given up, and compares pushes with records. */
export async function judge(traces: LedgerTraces, { committed, unsure, rolledBack }: LedgerOutcomes, kills: number) {
  const { receiver, refusals, erasures } = traces;
  const { received } = receiver;
  const erased = await erasures.finish();
  const stored = await storedIds(traces);
  const incomplete = (): string[] => withoutAllPushes(received, stored, erased);
  await until(incomplete, ({ length }) => length === 0, ARRIVES_WITHIN_MS).catch(() => undefined);
  const states = async () => await deliveries(traces);
  const settled = await until(
    states,
    (rows) => rows.every(({ state }) => state !== 'PENDING'),
    ARRIVES_WITHIN_MS,
  ).catch(states);
  return {
    committed: committed.size,
    unsure: unsure.size,
    rolledBack: rolledBack.size,
    erased: erased.size,
    requests: received.length,
    vanished: [...committed].filter((id) => !stored.has(id)),
    lost: incomplete(),
    unexpected: [...arrivalsOf(received).keys()].filter((id) => !stored.has(id)),
    overAttempted: [...Map.groupBy(received, ({ id }) => id)].filter(([, made]) => made.length > 3).map(([id]) => id),
    gaps: received.filter(({ body }) => Number(body.sequence) > pushesOf(recordIdIn(body), erased)).map(({ id }) => id),
    pending: settled.filter(({ state }) => state === 'PENDING').map(({ id }) => id),
    /** Failed after fewer than three attempts, or delivered without a 200. */
    misjudged: settled
      .filter(({ id, state, attempts }) => (state === 'FAILED' ? attempts < 3 : !refusals.isTaken(id)))
      .map(({ id }) => id),
    notErased: erasures.missing(erased),
    withoutOneReceipt: await erasures.withoutOneReceipt(erased),
    tablesWithNames: await erasures.tablesWithNames(),
    lateNames: erasures.late(received),
    refused: refusals.refused,
    duplicates: refusals.duplicates,
    duplicatesAllowed: kills * SENDING_MAX,
  };
}

/** One push of the creation, and one more of the erasure. */
function pushesOf(id: string, erased: ReadonlySet<string>): number {
  return erased.has(id) ? 2 : 1;
}

function withoutAllPushes(
  received: readonly Received[],
  stored: ReadonlySet<string>,
  erased: ReadonlySet<string>,
): string[] {
  const pushes = Map.groupBy(received, ({ body }) => recordIdIn(body));
  const arrived = (id: string): number => new Set(pushes.get(id)?.map(({ body }) => body.sequence)).size;
  return [...stored].filter((id) => arrived(id) !== pushesOf(id, erased));
}

async function storedIds({ connection, merchantId }: LedgerTraces): Promise<Set<string>> {
  const rows = await until(
    async () => [
      ...(await connection.db
        .execute<{ id: string }>(sql`select id from customer where merchant_id = ${merchantId}`)
        .catch(() => [])),
    ],
    ({ length }) => length > 0,
  );
  return new Set(rows.map(({ id }) => id));
}

async function deliveries({ connection, merchantId }: LedgerTraces) {
  return [
    ...(await connection.db.execute<{ id: string; state: string; attempts: number }>(
      sql`select id, state, attempts from webhook_delivery where merchant_id = ${merchantId}`,
    )),
  ];
}

function recordIdIn(body: Record<string, unknown>): string {
  return (JSON.parse(body.data as string) as { id: string }).id;
}
