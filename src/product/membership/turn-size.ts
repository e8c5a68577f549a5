import { isStatementTimeout } from '../../db/errors/database-error.ts';

/** The automated categories of other merchants wait for a turn. Shorter turns would mostly plan statements. */
const TURN_MS = 250;
/** The first turn is small, because it shows how long the comparisons of this merchant take. */
const FIRST_PART = 1 / 64;
const MIN_PART = 2 ** -24;
const MAX_GROWTH = 4;
const PART_AFTER_TIMEOUT = 1 / 16;

/**
 * How many products and how much text of conditions one turn of a merchant compares. Their numbers do not tell how long
 * a comparison takes, because products and conditions can have thousands of values each. So each turn is measured, and
 * the next one takes more or less.
 */
export class TurnSize {
  #part = FIRST_PART;

  products(max: number): number {
    return Math.max(1, Math.round(max * this.#part));
  }

  /**
   * What part of the largest text of conditions one turn compares with this number of products. With fewer products
   * than `max`, the same time suffices for more conditions.
   */
  conditionPart(products: number, max: number): number {
    return Math.min(1, (this.#part * max) / products);
  }

  /**
   * Runs a turn. `isFull`: it has compared as much as it might. Returns 'retry' if the statement timeout has ended the
   * turn and a smaller one is possible.
   */
  async measured<T extends { isFull: boolean } | null>(turn: () => Promise<T>): Promise<T | 'retry'> {
    const begunMs = performance.now();
    try {
      const result = await turn();
      const factor = TURN_MS / (performance.now() - begunMs);
      if (factor < 1 || result?.isFull) this.#multiply(factor);
      return result;
    } catch (error) {
      if (!isStatementTimeout(error) || this.#part === MIN_PART) throw error;
      this.#multiply(PART_AFTER_TIMEOUT);
      return 'retry';
    }
  }

  #multiply(factor: number): void {
    this.#part = Math.min(1, Math.max(MIN_PART, this.#part * Math.min(factor, MAX_GROWTH)));
  }
}
