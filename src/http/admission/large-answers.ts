import { ResponseSize } from '../../response-size.ts';
import type { Session } from '../../context.ts';
import { whenAnswered } from './release-on-close.ts';
import { type Client, Turns } from './fair-limiter.ts';

export const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/** Large answers in memory at once, in all and of one merchant; an answer takes about three times its bytes while it is put together. */
const LARGE_ANSWERS_MAX = 4;
const LARGE_ANSWERS_MAX_PER_MERCHANT = 3;
/** A mutation cannot wait for a place inside its transaction, and graphql-js completes it, which takes more memory. */
const MUTATION_WEIGHT = 2;
const WAITING_MAX = 1_000;
const WAIT_MAX_MS = 10_000;

type Asker = { readonly session: Session | null; readonly client: Client };

/** Limits the memory of large answers by merchant. A place is held until the answer was read or its connection closed. */
export class LargeAnswers {
  readonly #maxBytes: number;
  readonly #largeDocuments = new WeakSet<object>();
  readonly #places = new Turns({
    max: LARGE_ANSWERS_MAX,
    maxPerMerchant: LARGE_ANSWERS_MAX_PER_MERCHANT,
    waitingMax: WAITING_MAX,
    waitMaxMs: WAIT_MAX_MS,
  });

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Runs a query. If its answer turns out to be large, it waits for a place and runs again; a document whose last answer was
   * large waits first.
   */
  async ofQuery<T>(
    document: object,
    { session, client }: Asker,
    run: (answer: ResponseSize) => Promise<T>,
  ): Promise<T> {
    if (!this.#largeDocuments.has(document)) {
      const answer = this.#withoutPlace({ session, client }, 1);
      const first = await run(answer);
      if (!answer.lacksSlot) return first;
    }
    whenAnswered(client, await this.#places.take(session, 1, client));
    const answer = new ResponseSize(this.#maxBytes);
    const result = await run(answer);
    if (answer.isLarge) this.#largeDocuments.add(document);
    else this.#largeDocuments.delete(document);
    return result;
  }

  /** For a mutation, which is refused before it commits if its answer is large and there is no place. */
  ofMutation(asker: Asker): ResponseSize {
    return this.#withoutPlace(asker, MUTATION_WEIGHT);
  }

  #withoutPlace({ session, client }: Asker, weight: number): ResponseSize {
    return new ResponseSize(this.#maxBytes, () => {
      const leave = this.#places.tryTake(session, weight);
      if (leave) whenAnswered(client, leave);
      return leave !== null;
    });
  }
}
