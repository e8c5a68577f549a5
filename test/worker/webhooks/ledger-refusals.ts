/** One in this many pushes fails twice and succeeds at the third request. */
const REFUSED_ONE_OF = 16;
/**
 * One in this many pushes always fails. Rare, because after a kill many failures come together, and twenty in a row
 * would pause the webhook.
 */
const GIVEN_UP_ONE_OF = 128;

/** Selects by their ids which pushes get 500, so that the requests of a push are treated alike. */
export class LedgerRefusals {
  /** Number of requests that got 500. */
  refused = 0;
  /** Number of requests for pushes that got 200 before. */
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
