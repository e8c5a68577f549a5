import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../../src/db/sql/id.ts';
import { type Answer, codes, post } from '../../support/post.ts';
import type { Ledger } from './ledger.ts';

/** Leaves CPU time to the other processes. */
const PAUSE_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 50;
/** The service works normally after this many successful requests in a row of each client. */
const NORMAL_ANSWERS = 3;
const POLL_MS = 20;

const SAVE_CUSTOMER = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';
const SAVE_PRODUCTS = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
const READ =
  '{ me { id } listCustomer(pagination: { limit: 5 }) { count data { id firstName } } listProductTag { id } }';

/**
 * `unavailable`: the typed error; `refused`: no connection; `cut`: a connection, but no answer; `wrong`: anything else.
 */
export type Verdict = 'done' | 'unavailable' | 'refused' | 'cut' | 'wrong';

type Send = (body: object, key?: string) => Promise<Verdict>;
type LoadClient = { kind: string; work: (send: Send) => Promise<void>; inARow: number };

export type LoadOptions = {
  token: string;
  ledger: Ledger;
  /** Where the next request is sent. */
  graphqlUrl: () => string;
  /** Number of clients of each kind. */
  clientsEach?: number;
};

/** Clients that read and write until they are stopped, and record the answers. */
export class Load {
  readonly counts: Record<Verdict, number> = { done: 0, unavailable: 0, refused: 0, cut: 0, wrong: 0 };
  /** Answers that are neither the expected one nor the error SERVICE_UNAVAILABLE, shortened. */
  readonly wrong: string[] = [];
  readonly #options: LoadOptions;
  readonly #clients: LoadClient[];
  #running: Promise<void>[] = [];
  #isStopping = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { ledger, clientsEach = 2 } = options;
    this.#clients = [
      ...clients(clientsEach, 'read', async (send) => void (await send({ query: READ }))),
      ...clients(clientsEach, 'write', async (send) => {
        const name = newId();
        const verdict = await send(saveCustomer(name));
        if (verdict === 'done') ledger.committed.add(name);
        if (verdict === 'cut') ledger.cut.add(name);
      }),
      ...clients(clientsEach, 'write with a key', async (send) => {
        const name = newId();
        ledger.sentWithKey(name);
        while (!this.#isStopping && (await send(saveCustomer(name), name)) !== 'done');
        if (!this.#isStopping) ledger.committed.add(name);
      }),
      ...clients(clientsEach, 'long write', async (send) => {
        const name = newId();
        const verdict = await send(saveProducts([name, `${name} b`]));
        if (verdict === 'done') ledger.committedProducts.add(name);
        if (verdict === 'cut') ledger.cut.add(name);
      }),
    ];
  }

  start(): this {
    this.#running = this.#clients.map((client) => this.#run(client));
    return this;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Waits until each client was served several times in a row, and returns how long that took. */
  async isServed(withinMs: number): Promise<number> {
    const startedAtMs = performance.now();
    for (const client of this.#clients) client.inARow = 0;
    while (this.#clients.some(({ inARow }) => inARow < NORMAL_ANSWERS)) {
      if (performance.now() - startedAtMs > withinMs)
        throw new Error(
          `Not served again within ${withinMs} ms: ${JSON.stringify(this.#clients.map(({ kind, inARow }) => [kind, inARow]))} ${this.wrong.at(-1)}`,
        );
      await wait(POLL_MS);
    }
    return performance.now() - startedAtMs;
  }

  async #run(client: LoadClient): Promise<void> {
    const send: Send = async (body, key) => {
      const verdict = await this.#send(this.#options.graphqlUrl(), body, key);
      this.counts[verdict] += 1;
      client.inARow = verdict === 'done' ? client.inARow + 1 : 0;
      await wait(verdict === 'done' ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS);
      return verdict;
    };
    while (!this.#isStopping) await client.work(send);
  }

  async #send(url: string, body: object, key?: string): Promise<Verdict> {
    let answer: Answer;
    try {
      answer = await post(url, body, {
        token: this.#options.token,
        headers: key === undefined ? {} : { 'idempotency-key': key },
      });
    } catch (error) {
      if (error instanceof TypeError)
        return (error.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'refused' : 'cut';
      throw error;
    }
    if (answer.status === 200 && !answer.body.errors) return 'done';
    if (isUnavailable(answer)) return 'unavailable';
    this.wrong.push(
      `${answer.status} retry-after ${answer.headers.get('retry-after')} ${JSON.stringify(answer.body).slice(0, 400)}`,
    );
    return 'wrong';
  }
}

/** Whether it is the error that tells a client to try again later. With data in some fields the status is 200. */
function isUnavailable(answer: Answer): boolean {
  const isTyped = codes(answer).length > 0 && codes(answer).every((code) => code === 'SERVICE_UNAVAILABLE');
  const hasData = Object.values(answer.body.data ?? {}).some((value) => value !== null);
  return (
    isTyped &&
    (hasData
      ? answer.status === 200
      : answer.status === 503 && /^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? ''))
  );
}

function clients(count: number, kind: string, work: LoadClient['work']): LoadClient[] {
  return Array.from({ length: count }, () => ({ kind, work, inARow: 0 }));
}

function saveCustomer(firstName: string): object {
  return { query: SAVE_CUSTOMER, variables: { input: { firstName } } };
}

function saveProducts(names: string[]): object {
  return { query: SAVE_PRODUCTS, variables: { input: names.map(product) } };
}

function product(name: string): object {
  return {
    name,
    type: 'PHYSICAL',
    categories: [{ name: ['Category'] }],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 1 }] }],
  };
}
