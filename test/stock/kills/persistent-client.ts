import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, codes, post } from '../../support/post.ts';

const ANSWERED_WITHIN_MS = 120_000;
const RETRY_MS = 100;
/** Answers that another attempt would not change. */
const FINAL_CODES: readonly unknown[] = ['CONFLICT', 'ARGUMENT_VALIDATION_ERROR', 'NOT_FOUND'];
/** Answers that tell the client to try again. */
const TRANSIENT_CODES: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT'];

/** `data`: null if the request was refused, with the code of the error. */
export type FinalAnswer = { data: Record<string, unknown> | null; code: string | null };

/** Sends each request until it is answered, whatever happens to the processes meanwhile. */
export class PersistentClient {
  /** `cut`: without a connection or an answer; `transient`: the client was told to try again. */
  readonly counts = { answered: 0, cut: 0, transient: 0 };
  /** Answers with other errors, shortened. */
  readonly unexpected: string[] = [];
  readonly #graphqlUrl: (n: number) => string;
  readonly #token: string;
  #sent = 0;

  /** `graphqlUrl`: where the nth request goes. */
  constructor(graphqlUrl: (n: number) => string, token: string) {
    this.#graphqlUrl = graphqlUrl;
    this.#token = token;
  }

  async send(query: string, variables: object): Promise<FinalAnswer> {
    const endsAtMs = Date.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const answer = await post(this.#graphqlUrl(this.#sent++), { query, variables }, { token: this.#token }).catch(
        () => null,
      );
      const final = this.#finalOf(answer);
      if (final !== null) return final;
      if (Date.now() > endsAtMs)
        throw new Error(`No answer: ${JSON.stringify(answer?.body)} ${this.unexpected.at(-1)}`);
      await wait(RETRY_MS);
    }
  }

  #finalOf(answer: Answer | null): FinalAnswer | null {
    if (answer === null) {
      this.counts.cut++;
      return null;
    }
    const [code = null] = codes(answer);
    if (code === null || FINAL_CODES.includes(code)) {
      this.counts.answered++;
      return { data: code === null ? answer.body.data! : null, code: code as string | null };
    }
    this.counts.transient++;
    if (!TRANSIENT_CODES.includes(code)) this.unexpected.push(JSON.stringify(answer.body).slice(0, 400));
    return null;
  }
}
