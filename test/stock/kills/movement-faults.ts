import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';
import type { Place } from '../places.ts';
import { chainFaults, type Count, countsOf, type Movement, millionths, movementsOf, rows } from './count-ledger.ts';
import type { Outcomes } from './outcomes.ts';
import { replay, type StoredHold } from './replay.ts';
import { entryOf, type Hold, isHold, START } from './sent-units.ts';

/** A webhook's event of the end of a hold, each once. */
export type Release = { holdId: string; reason: string; createdMs: number };

export type Traces = {
  db: Database;
  merchantId: string;
  places: readonly Place[];
  outcomes: Outcomes;
  releases: ReadonlyMap<string, Release>;
};

const KEYS_AT_ONCE = 20_000;
const LISTED = 10;

/** What a run without faults returns beside its counts. */
export const EXACT = {
  wrongChains: [],
  wrongEntries: [],
  lost: [],
  wrongSums: [],
  wrongKeys: [],
  overheld: [],
  overdrawn: [],
  wrongHolds: [],
  wrongReleases: [],
  contradictions: [],
};

type Faults = { -readonly [Name in keyof typeof EXACT]: string[] };

/** Compares the rows of the merchant with the answers that clients got. All holds must have ended. */
export async function movementFaults(traces: Traces) {
  const { outcomes, places } = traces;
  const faults = Object.fromEntries(Object.keys(EXACT).map((name) => [name, []])) as unknown as Faults;
  const releases = Map.groupBy(traces.releases.values(), ({ holdId }) => holdId);
  const found = { counts: 0, movements: 0, holds: {} as Record<string, number>, undecided: 0 };
  const unseen = new Map(outcomes.ids);
  for (const count of await countsOf(traces)) {
    const place = places.findIndex(({ variantId }) => variantId === count.variantId);
    const movements = await movementsOf(traces, count.id);
    const holds = await holdsOf(traces, count, { movements, releases });
    faults.wrongChains.push(...chainFaults(count, movements));
    faults.wrongEntries.push(...wrongEntries(place, movements, outcomes));
    faults.wrongHolds.push(...wrongHolds(place, holds, outcomes));
    faults.wrongReleases.push(...holds.flatMap((hold) => wrongReleases(hold, releases.get(hold.id) ?? [])));
    if (millionths(count.stockCount) !== expectedSum(place, outcomes)) faults.wrongSums.push(count.id);
    const replayed = replay(movements, holds, ({ key, delta }) => delta < 0 && isGuarded(key));
    faults.overheld.push(...replayed.overheld);
    faults.overdrawn.push(...replayed.overdrawn);
    for (const { key, id } of [...movements, ...holds]) if (key !== null && unseen.get(key) === id) unseen.delete(key);
    for (const { status } of holds) found.holds[status] = (found.holds[status] ?? 0) + 1;
    found.undecided += replayed.undecided;
    found.movements += movements.length;
    found.counts++;
  }
  faults.lost = [...unseen.keys()];
  faults.wrongKeys = await wrongKeys(traces);
  faults.contradictions = outcomes.contradictions;
  const listed = Object.entries(faults).map(([name, all]) => [name, all.slice(0, LISTED)]);
  return { ...found, ...(Object.fromEntries(listed) as Faults) };
}

/** Movements that no client was told of, or with other values than were sent. */
function wrongEntries(place: number, movements: readonly Movement[], outcomes: Outcomes): string[] {
  return movements.flatMap(({ id, key, kind, delta, sequence }) => {
    if (key === null) return sequence === 1 && delta === START ? [] : [`${id}: without a key`];
    const entry = entryOf(key);
    if (entry === null || entry.place !== place || !outcomes.ids.has(key)) return [`${id}: the key ${key}`];
    const expected = isHold(entry) ? [-entry.quantity, 'SOLD'] : [entry.delta, 'CORRECTED'];
    return expected[0] === delta && expected[1] === kind ? [] : [`${id}: ${kind} ${delta} for the key ${key}`];
  });
}

function wrongHolds(place: number, holds: readonly StoredHold[], outcomes: Outcomes): string[] {
  return holds.flatMap(({ id, key, quantity, status, soldAt }) => {
    const entry = entryOf(key);
    if (entry === null || !isHold(entry) || entry.place !== place || !outcomes.ids.has(key)) return [`${id}: ${key}`];
    const isRight =
      entry.quantity === quantity &&
      outcomes.statusOf(entry) === status &&
      (status === 'COMMITTED') === Number.isFinite(soldAt);
    return isRight ? [] : [`${id}: ${status} with ${quantity} for the key ${key} that is to be ${entry.end}`];
  });
}

/** Each hold has one event of its end, an expired one too. */
function wrongReleases({ id, status }: StoredHold, releases: readonly Release[]): string[] {
  const reasons = releases.map(({ reason }) => reason);
  return reasons.length === 1 && reasons[0] === status ? [] : [`${id}: ${status}, released by ${reasons.join()}`];
}

/** What the count must be, in millionths: the start and each answered key once. */
function expectedSum(place: number, outcomes: Outcomes): number {
  let sum = millionths(START);
  for (const key of outcomes.ids.keys()) {
    const entry = entryOf(key)!;
    if (entry.place === place) sum += isHold(entry) ? soldBy(entry, outcomes) : millionths(entry.delta);
  }
  return sum;
}

function soldBy(hold: Hold, outcomes: Outcomes): number {
  return outcomes.statusOf(hold) === 'COMMITTED' ? -millionths(hold.quantity) : 0;
}

function isGuarded(key: string | null): boolean {
  const entry = key === null ? null : entryOf(key);
  return entry !== null && !isHold(entry) && entry.isGuarded;
}

/** Keys that are stored without an answer, or for another record. */
async function wrongKeys({ db, merchantId, outcomes }: Traces): Promise<string[]> {
  const wrong: string[] = [];
  let stored = 0;
  for (let after = ''; ;) {
    const found = await rows<{ key: string; id: string; count: number }>(
      db,
      sql`
      select key, record_ids[1] as id, cardinality(record_ids) as count from stock_key
      where merchant_id = ${merchantId} and key > ${after} order by key limit ${KEYS_AT_ONCE}`,
    );
    for (const { key, id, count } of found) if (outcomes.ids.get(key) !== id || count !== 1) wrong.push(key);
    stored += found.length;
    if (found.length < KEYS_AT_ONCE) break;
    after = found.at(-1)!.key;
  }
  if (stored !== outcomes.ids.size) wrong.push(`${stored} are stored, ${outcomes.ids.size} were answered`);
  return wrong;
}

type Ends = { movements: readonly Movement[]; releases: ReadonlyMap<string, readonly Release[]> };

async function holdsOf({ db, merchantId }: Traces, count: Count, { movements, releases }: Ends): Promise<StoredHold[]> {
  const sold = new Map(movements.filter(({ kind }) => kind === 'SOLD').map(({ key, sequence }) => [key, sequence]));
  const found = await rows<Omit<StoredHold, 'soldAt' | 'releasedMs'>>(
    db,
    sql`
    select id, key, quantity::float8 as "quantity", status,
      (extract(epoch from created_at) * 1000)::float8 as "createdMs",
      (extract(epoch from expires_at) * 1000)::float8 as "expiresMs"
    from stock_hold where merchant_id = ${merchantId} and product_stock_location_id = ${count.id}`,
  );
  return found.map((hold) => ({
    ...hold,
    soldAt: sold.get(hold.key) ?? Infinity,
    releasedMs: releases.get(hold.id)?.find(({ reason }) => reason === 'RELEASED')?.createdMs ?? Infinity,
  }));
}
