import { randomInt } from 'node:crypto';
/** A generator of whole numbers below `max`, the same for a seed in each run: a linear congruential generator. */
export function random(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
}

/** Seeds that are others in each run. The names of tests must have them, so that a failure can be repeated. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, () => randomInt(2 ** 31));
}
