/** Stock counts of the run, and the number that each has at the beginning: so few that holds are refused. */
export const PLACES = 10;
export const START = 4;

/** What the rounds of entries add, of which each has an entry for each place. Without refusals their sum is 0. */
const DELTAS = [3, -1, 2, -3, 1, -2.5, 0.5] as const;
/** Instead of the last one of so many rounds, the entries are holds. */
const CYCLE = DELTAS.length + 1;
/** Rounds of a cycle that are sent as one request. Each fourth round of holds is too. */
const BATCHED: readonly number[] = [1, 3, 6];
const BATCHED_HOLDS = 4;
/** A round whose entries may not take what is available below 0. */
const GUARDED = 5;
/** In a long run the rounds before GUARDED are one request, and the others too, but for those of each eighth cycle. */
const USUAL_CYCLES = 8;
const QUANTITIES = [1.5, 3, 2] as const;
const SHORT_MS = 800;
const LONG_MS = 600_000;
const RESTOCK = 'restock ';

/** EXPIRE and RACE end by themselves soon; RACE is committed at this moment too. */
export type HoldEnd = 'EXPIRE' | 'COMMIT' | 'RELEASE' | 'RACE';
const ENDS: readonly HoldEnd[] = ['COMMIT', 'EXPIRE', 'RELEASE', 'RACE', 'EXPIRE'];

type Common = { key: string; place: number };
export type Adjustment = Common & { delta: number; isGuarded: boolean };
export type Hold = Common & { quantity: number; end: HoldEnd };

/** A request, by the number of its first entry. Each entry has a key of its own. */
export type AdjustUnit = { n: number; operation: 'adjustStock'; entries: Adjustment[] };
export type HoldUnit = { n: number; operation: 'holdStock'; entries: Hold[] };
export type Unit = AdjustUnit | HoldUnit;

/** The request whose first entry is the nth of the run. Those of a long run have more entries, up to 50. */
export function unitAt(n: number, isLong = false): Unit {
  const [round, cycle] = placeInRun(n);
  const isHold = round === DELTAS.length;
  const isLarge = isLong && !isHold && cycle % USUAL_CYCLES !== 0;
  const isBatch = n % PLACES === 0 && (isHold ? cycle % BATCHED_HOLDS === 0 : BATCHED.includes(round));
  const length = isLarge ? entriesOfLarge(round) : isBatch ? PLACES : 1;
  const numbers = Array.from({ length }, (_, index) => n + index);
  return isHold
    ? { n, operation: 'holdStock', entries: numbers.map(holdAt) }
    : { n, operation: 'adjustStock', entries: numbers.map(adjustmentAt) };
}

function entriesOfLarge(round: number): number {
  return (round === 0 ? GUARDED : 1) * PLACES;
}

/** Puts back what a committed hold took, so that the counts stay near their beginning. */
export function restock(n: number): AdjustUnit {
  const { place, quantity } = holdAt(n);
  const entry = { key: `${RESTOCK}${n}`, place, delta: quantity, isGuarded: false };
  return { n, operation: 'adjustStock', entries: [entry] };
}

/** The entry of a key of this run, or null. */
export function entryOf(key: string): Adjustment | Hold | null {
  const number = key.replace(RESTOCK, '');
  if (!/^\d+$/.test(number)) return null;
  if (key.startsWith(RESTOCK)) return restock(Number(number)).entries[0]!;
  const n = Number(key);
  return placeInRun(n)[0] === DELTAS.length ? holdAt(n) : adjustmentAt(n);
}

export function isHold(entry: Adjustment | Hold): entry is Hold {
  return 'quantity' in entry;
}

export function lifetimeMs({ n, entries }: HoldUnit): number {
  const endsSoon = entries.some(({ end }) => end === 'EXPIRE' || end === 'RACE');
  return endsSoon ? SHORT_MS + (n % 7) * 200 : LONG_MS;
}

/** Two numbers: which round of its cycle the nth entry belongs to, and which cycle that is. */
function placeInRun(n: number): [number, number] {
  const round = Math.floor(n / PLACES);
  return [round % CYCLE, Math.floor(round / CYCLE)];
}

function adjustmentAt(n: number): Adjustment {
  const [round] = placeInRun(n);
  return { key: String(n), place: n % PLACES, delta: DELTAS[round]!, isGuarded: round === GUARDED };
}

/** All holds of a batch have the same expiry, and so the same end. */
function holdAt(n: number): Hold {
  const [, cycle] = placeInRun(n);
  const place = n % PLACES;
  const end = ENDS[(cycle % BATCHED_HOLDS === 0 ? cycle / BATCHED_HOLDS : cycle + place) % ENDS.length]!;
  return { key: String(n), place, quantity: QUANTITIES[(cycle + place) % QUANTITIES.length]!, end };
}
