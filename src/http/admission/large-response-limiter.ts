import type { Session } from '../../context.ts';
import { LARGE_FROM_BYTES, ResponseSize } from '../../limits/response-size.ts';
import type { ClientStream } from '../../limits/client-stream.ts';
import { FairLimiter, releaseOnClose } from './fair-limiter.ts';

export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Large responses of queries in memory at once. A response takes about three times its bytes while its text is made:
 * with the default of `ANSWER_MAX_MIB` four take 192 MiB.
 */
const QUERIES = { max: 4, maxPerMerchant: 3, maxWaiting: 1_000, maxWaitMs: 10_000 };
/**
 * A mutation cannot wait for a slot inside its transaction, so it has slots that no query takes: otherwise the exports
 * of some merchants would refuse the mutations of all others. It holds its record beside the text that is made of it,
 * so two take as much memory as four queries.
 */
const MUTATIONS = { max: 2, maxPerMerchant: 1, maxWaiting: 0, maxWaitMs: 0 };

type Recipient = { readonly session: Session | null; readonly client: ClientStream };

/**
 * Limits the memory of large responses, in all and by merchant. A slot is held until the client has read the response
 * or has disconnected.
 */
export class LargeResponseLimiter {
  readonly #maxBytes: number;
  /** The merchants for which the last response of a document was large. */
  readonly #largeDocuments = new WeakMap<object, Set<string>>();
  readonly #queries = new FairLimiter(QUERIES);
  readonly #mutations = new FairLimiter(MUTATIONS);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Runs a query. If its response turns out to be large and no slot is free, waits for a slot and runs it again. A
   * document whose last response for the merchant was large waits first.
   */
  async runQuery<T>(document: object, recipient: Recipient, run: (size: ResponseSize) => Promise<T>): Promise<T> {
    const { session, client } = recipient;
    const merchantId = session?.merchantId ?? '';
    if (!this.#largeDocuments.get(document)?.has(merchantId)) {
      const size = this.#sizeWithoutSlot(this.#queries, recipient);
      const first = await run(size);
      if (!size.lacksSlot) return first;
    }
    releaseOnClose(client, await this.#queries.acquire(session, 1, client));
    const size = new ResponseSize(this.#maxBytes);
    const result = await run(size);
    this.#remember(document, merchantId, size.isLarge);
    return result;
  }

  #remember(document: object, merchantId: string, isLarge: boolean): void {
    const merchants = this.#largeDocuments.get(document) ?? new Set();
    if (isLarge) this.#largeDocuments.set(document, merchants.add(merchantId));
    else merchants.delete(merchantId);
  }

  /**
   * The size of a mutation's response. If it becomes large and no slot is free, the mutation fails before it commits.
   */
  mutationSize(recipient: Recipient): ResponseSize {
    return this.#sizeWithoutSlot(this.#mutations, recipient);
  }

  /** Waits for a slot if a stored response is large. Its text is sent as it is. */
  async acquireForStored(bytes: number, { session, client }: Recipient): Promise<void> {
    if (bytes > LARGE_FROM_BYTES) releaseOnClose(client, await this.#queries.acquire(session, 1, client));
  }

  #sizeWithoutSlot(slots: FairLimiter, { session, client }: Recipient): ResponseSize {
    return new ResponseSize(this.#maxBytes, () => {
      const release = slots.tryAcquire(session, 1);
      if (release) releaseOnClose(client, release);
      return release !== null;
    });
  }
}
