import { AnswerSize } from '../answer-size.ts';
import type { Session } from '../context.ts';
import { whenAnswered } from './request-turn.ts';
import { type Client, Turns } from './turns.ts';

export const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/** Large answers in memory at once, in all and of one merchant; an answer takes about three times its bytes while it is put together. */
const LARGE_ANSWERS_MAX = 4;
const LARGE_ANSWERS_MAX_PER_MERCHANT = 3;
/** A mutation cannot wait for a place inside its transaction, and graphql-js completes it, which takes more memory. */
const MUTATION_WEIGHT = 2;
const WAITING_MAX = 1_000;
const WAIT_MAX_MS = 10_000;

/** Limits the memory of large answers by merchant. A place is held until the answer was read or its connection closed. */
export class LargeAnswers {
  readonly #maxBytes: number;
  readonly #places = new Turns({ max: LARGE_ANSWERS_MAX, maxPerMerchant: LARGE_ANSWERS_MAX_PER_MERCHANT, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS });

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Runs a query, and again once there is a place, if its answer is large and there was none. */
  async ofQuery<T>(session: Session | null, client: Client, run: (answer: AnswerSize) => Promise<T>): Promise<T> {
    const answer = this.#sized(session, client, 1);
    const first = await run(answer);
    if (!answer.hasToWait) return first;
    whenAnswered(client, await this.#places.take(session, 1, client));
    return await run(new AnswerSize(this.#maxBytes));
  }

  /** For a mutation, which is refused before it commits if its answer is large and there is no place. */
  ofMutation(session: Session | null, client: Client): AnswerSize {
    return this.#sized(session, client, MUTATION_WEIGHT);
  }

  #sized(session: Session | null, client: Client, weight: number): AnswerSize {
    return new AnswerSize(this.#maxBytes, {
      hasFree: () => this.#places.hasFree(session, weight),
      take: () => {
        const leave = this.#places.tryTake(session, weight);
        if (leave) whenAnswered(client, leave);
        return leave !== null;
      },
    });
  }
}
