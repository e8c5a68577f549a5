import { type Movement, millionths, timeOf } from './count-ledger.ts';

/** A hold as the database has it. Times in milliseconds. */
export type StoredHold = {
  id: string;
  key: string;
  quantity: number;
  createdMs: number;
  expiresMs: number;
  status: string;
  /** The number of the movement that sold it, and the earliest time of its release; `Infinity` without. */
  soldAt: number;
  releasedMs: number;
};

/** `overheld`: holds, and `overdrawn`: movements that were made although too little was available. */
export type Replay = { overheld: string[]; overdrawn: string[]; undecided: number };

type Timed = Movement & { earliestMs: number; latestMs: number };

/**
 * Replays the movements and holds of a count in the order of their times. Their precision is a millisecond: where the order
 * of a hold and of movements is not known, the hold is wrong only if it is in each order, and otherwise undecided.
 */
export function replay(
  movements: readonly Movement[],
  holds: readonly StoredHold[],
  isGuarded: (movement: Movement) => boolean,
): Replay {
  const timed = timedMovements(movements);
  const inOrder = holds.toSorted((one, other) => one.createdMs - other.createdMs);
  return { ...overheld(timed, inOrder), overdrawn: overdrawn(timed, inOrder, isGuarded) };
}

/**
 * Each movement of a count is stored with a later time than the one before it, so several in one millisecond have times in
 * the future.
 */
function timedMovements(movements: readonly Movement[]): Timed[] {
  const timed: Timed[] = [];
  for (const movement of movements) {
    const latestMs = timeOf(movement.id);
    const former = timed.at(-1);
    const isMoved = former !== undefined && latestMs === former.latestMs + 1;
    timed.push({ ...movement, latestMs, earliestMs: isMoved ? former.earliestMs : latestMs });
  }
  return timed;
}

function overheld(movements: readonly Timed[], holds: readonly StoredHold[]): Pick<Replay, 'overheld' | 'undecided'> {
  const faults: string[] = [];
  let undecided = 0;
  let [before, possible] = [0, 0];
  let active: StoredHold[] = [];
  let [first, next] = [0, 0];
  for (; next < holds.length; next++) {
    const { id, createdMs, quantity } = holds[next]!;
    for (; holds[first]!.createdMs < createdMs; first++) active.push(holds[first]!);
    while (before < movements.length && movements[before]!.latestMs < createdMs - 1) before++;
    while (possible < movements.length && movements[possible]!.earliestMs <= createdMs + 1) possible++;
    active = active.filter((hold) => endsAfter(hold, createdMs + 1) && hold.soldAt > before);
    const available = movements
      .slice(Math.max(0, before - 1), possible)
      .map(({ sequence, countAfter }) => millionths(countAfter) - heldAt(active, sequence));
    if (Math.max(...available) < millionths(quantity)) faults.push(`${id}: ${quantity} of ${available.join(' or ')}`);
    else if (Math.min(...available) < millionths(quantity)) undecided++;
  }
  return { overheld: faults, undecided };
}

function overdrawn(
  movements: readonly Timed[],
  holds: readonly StoredHold[],
  isGuarded: (movement: Movement) => boolean,
): string[] {
  const faults: string[] = [];
  let active: StoredHold[] = [];
  let next = 0;
  for (const movement of movements) {
    const { id, sequence, countAfter, earliestMs, latestMs } = movement;
    if (!isGuarded(movement)) continue;
    for (; next < holds.length && holds[next]!.createdMs < earliestMs - 1; next++) active.push(holds[next]!);
    active = active.filter((hold) => endsAfter(hold, earliestMs) && hold.soldAt > sequence);
    const certain = active.filter((hold) => endsAfter(hold, latestMs + 1));
    if (millionths(countAfter) < heldAt(certain, sequence)) faults.push(`${id}: ${countAfter} afterwards`);
  }
  return faults;
}

function endsAfter({ expiresMs, releasedMs }: StoredHold, ms: number): boolean {
  return Math.min(expiresMs, releasedMs) > ms;
}

/** Millionths that are held after the movement with this number. */
function heldAt(holds: readonly StoredHold[], sequence: number): number {
  return holds.reduce((sum, { quantity, soldAt }) => sum + (soldAt > sequence ? millionths(quantity) : 0), 0);
}
