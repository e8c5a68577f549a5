/** One of this many pushes is refused until its last request. */
const REFUSED_ONE_OF = 16;
/**
 * One of this many pushes is always refused. Rare, because kills let failures come together, and twenty failures in a
 * row would pause the webhook.
 */
const GIVEN_UP_ONE_OF = 128;

/** Selects the pushes that get 500 by their id, so that all requests of a push get the same. */
export class LedgerRefusals {
  /** Requests that got 500. */
  refused = 0;
  /** Requests for pushes that had got 200 before. */
  duplicates = 0;
  readonly #requests = new Map<string, number>();
  readonly #taken = new Set<string>();

  answer(id: string): number {
    const request = (this.#requests.get(id) ?? 0) + 1;
    this.#requests.set(id, request);
    const dice = Number.parseInt(id.slice(-2), 16);
    if (dice % GIVEN_UP_ONE_OF === 1 || (dice % REFUSED_ONE_OF === 0 && request < 3)) {
      this.refused += 1;
      return 500;
    }
    if (this.#taken.has(id)) this.duplicates += 1;
    this.#taken.add(id);
    return 200;
  }

  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }
}
