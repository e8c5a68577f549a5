import { isDatabaseUnavailable } from '../errors/database-error.ts';

/** Merchants that the error names. */
const MAX_NAMED = 20;

/**
 * The merchants for which a task of all merchants has failed. The task leaves them out until its next run, or until it
 * begins a new list in a long run. It throws or reports the failures after the work of the others, so that one merchant
 * never stops it. If the database is unavailable, that would fail too: the error is thrown at once.
 */
export class MerchantFailures {
  readonly #errors = new Map<string, unknown>();

  get merchantIds(): string[] {
    return [...this.#errors.keys()];
  }

  has(merchantId: string): boolean {
    return this.#errors.has(merchantId);
  }

  /** Does the work of a merchant. Undefined if it fails, or has failed before. */
  async attempt<T>(merchantId: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#errors.has(merchantId)) return undefined;
    try {
      return await work();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.#errors.set(merchantId, error);
      return undefined;
    }
  }

  /** One error for all failures, with the first as its cause; null without failures. */
  get error(): Error | null {
    const [first] = this.#errors;
    if (!first) return null;
    const [, cause] = first;
    const named = this.merchantIds.slice(0, MAX_NAMED).join(', ');
    return new Error(`Merchants whose work failed (${this.#errors.size}): ${named}`, { cause });
  }

  throwAny(): void {
    const { error } = this;
    if (error) throw error;
  }
}
