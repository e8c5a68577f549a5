import type { Places } from './places.ts';
import type { Job } from './queue.ts';

/** A quick endpoint has room for the next jobs in less, even on a busy machine. */
const WAITED_FOR_ROOM_MS = 50;
/** Fewer are not let in alone: they are claimed together. */
const LET_IN_TOGETHER_MIN = 32;

export type Lobby = {
  enter(jobs: readonly Job[]): void;
  /** Who may go on: with a place, or aside, because there was none in time. */
  leave(): { held: Job[]; aside: Job[] };
  /** Who is left when nobody is let in any more. */
  close(): Job[];
  isEmpty(): boolean;
  /** Until those who wait go aside. */
  restMs(): number;
};

/**
 * Jobs that were taken and wait for a place. They are fetched while the ones before are sent, and the
 * jobs of a quick endpoint need not be written to a lane of its own. For a slow one nobody waits twice.
 */
export function openLobby(places: Places): Lobby {
  let waiting: Job[] = [];
  let endsAtMs = 0;
  const restMs = (): number => Math.max(endsAtMs - performance.now(), 0);
  return {
    enter(jobs) {
      waiting.push(...jobs);
      endsAtMs = performance.now() + WAITED_FOR_ROOM_MS;
    },
    leave() {
      const held: Job[] = [];
      const aside: Job[] = [];
      const left: Job[] = [];
      for (const [group, jobs] of Map.groupBy(waiting, ({ group }) => group)) {
        const isLate = places.isSlow(group) || restMs() === 0;
        const isWaiting = !isLate && places.freeFor(group) < Math.min(jobs.length, LET_IN_TOGETHER_MIN);
        for (const job of jobs) {
          if (!isWaiting && places.take(group)) held.push(job);
          else (isLate ? aside : left).push(job);
        }
        if (aside.at(-1)?.group === group) places.slow(group);
      }
      waiting = left;
      return { held, aside };
    },
    close: () => waiting.splice(0),
    isEmpty: () => waiting.length === 0,
    restMs,
  };
}
