import type { Answer } from '../../support/post.ts';
import type { History, Members, Outcome } from './history.ts';
import { membersOf, priceOf, texts } from './records.ts';
import { type Access, codeOf, type Shop } from './shop.ts';

/** Codes of errors after which the write may have happened. */
const UNKNOWN = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
/** Refusals that the actions expect: a stale version, a deleted product, a record of another merchant. */
const REFUSED = ['CONFLICT', 'NOT_FOUND'];
const PAGE = 2;

type Sent = { operation: string; variables: object; headers?: Record<string, string> };

/** A client that does something random, again and again, and writes down what it was answered. */
export class HistoryClient {
  readonly #name: string;
  readonly #shop: Shop;
  readonly #access: Access;
  readonly #history: History;
  readonly #random: () => number;
  #writes = 0;

  constructor(name: string, { shop, access }: { shop: Shop; access: Access }, history: History, random: () => number) {
    this.#name = name;
    this.#shop = shop;
    this.#access = access;
    this.#history = history;
    this.#random = random;
  }

  async act(): Promise<void> {
    const actions: (() => Promise<unknown>)[] = [
      () => this.#patch(),
      () => this.#patch(),
      () => this.#patchVariant(),
      () => this.#savePrice(),
      () => this.#savePrice(),
      () => this.#saveWhole(),
      () => this.#saveCustomer(),
      () => this.#createTwice(),
      () => this.#createInBulk(),
      () => this.#saveStock(),
      () => this.#setActive(),
      () => this.#sql(),
      () => this.#dryRun(),
      () => this.#trespass(),
      () => this.#read(),
      () => this.#walk(),
    ];
    await this.#one(actions)();
  }

  async #patch(): Promise<void> {
    const vendorId = this.#token();
    const { id } = this.#one(this.#shop.products);
    await this.#write({ operation: 'updateProduct', variables: { id, patch: { vendorId } } }, { vendorId });
  }

  async #patchVariant(): Promise<void> {
    const { id, variantIds } = this.#one(this.#shop.products);
    const [variantId, sku] = [this.#one(variantIds), this.#token()];
    const variables = { id, patch: { variants: [{ id: variantId, sku }] } };
    await this.#write({ operation: 'updateProduct', variables }, { [`sku of ${variantId}`]: sku });
  }

  async #savePrice(): Promise<void> {
    const { id: productId, variantIds } = this.#one(this.#shop.products);
    const variantId = this.#one(variantIds);
    const priceListId = this.#one([null, this.#shop.priceListId]);
    const sellPrice = this.#amount();
    const input = { priceListId, variantPriceInputs: [{ productId, variantId, price: { sellPrice } }] };
    await this.#write(
      { operation: 'saveVariantPrices', variables: { input } },
      { [priceOf(variantId, priceListId)]: sellPrice },
    );
  }

  /** Reads a product, and sends it back with its version and another name. */
  async #saveWhole(): Promise<void> {
    const read = await this.#read();
    if (!read) return;
    const { id, version, variants } = read;
    const name = this.#token();
    const sent = variants.map((variant) => ({ id: variant.id, prices: [] }));
    const input = { id, version, name, type: 'PHYSICAL', variants: sent };
    await this.#write({ operation: 'saveProduct', variables: { input } }, { name });
  }

  async #saveCustomer(): Promise<void> {
    const firstName = this.#token();
    const lastName = this.#one([undefined, this.#token()]);
    const input = { id: this.#one(this.#shop.customerIds), firstName, ...(lastName && { lastName }) };
    const { id: _, ...changes } = input;
    await this.#write({ operation: 'saveCustomer', variables: { input } }, changes);
  }

  /** Two requests with one idempotency key at the same time. */
  async #createTwice(): Promise<void> {
    const firstName = this.#token();
    const sent = {
      operation: 'saveCustomer',
      variables: { input: { firstName } },
      headers: { 'idempotency-key': firstName },
    };
    const one = this.#write(sent, { firstName });
    const [first, second] = await Promise.all([one, this.#send(sent)]);
    if (JSON.stringify(first.data) !== JSON.stringify(second.body.data))
      this.#unexpected(`one key, two answers: ${JSON.stringify([first, second.body])}`);
  }

  /** Two bulk requests with one new sourceId: one creates the product, and the other updates it. */
  async #createInBulk(): Promise<void> {
    const sourceId = this.#token();
    const save = async () => {
      const name = this.#token();
      const input = [{ sourceId, name, type: 'PHYSICAL', categories: [], productVariantTypes: [], variants: [] }];
      return await this.#write({ operation: 'bulkUpdateProducts', variables: { input } }, { name });
    };
    const answers = await Promise.all([save(), save()]);
    if (answers.some(({ errors }) => errors)) this.#unexpected(`refused: ${JSON.stringify(answers)}`);
  }

  async #saveStock(): Promise<void> {
    const { id: productId, variantIds } = this.#one(this.#shop.products);
    const stockCount = this.#amount();
    const row = { productId, variantId: this.#one(variantIds), stockLocationId: this.#shop.locationId, stockCount };
    const input = { productStockLocationInputs: [row] };
    await this.#write({ operation: 'saveProductStockLocations', variables: { input } }, { stockCount });
  }

  /** Changes no value that the history has, and the row of a product that other writes change. */
  async #setActive(): Promise<void> {
    const { id: productId } = this.#one(this.#shop.products);
    const input = [{ productId, active: this.#one([true, false]) }];
    const variables = { salesChannelId: this.#shop.channelId, input };
    await this.#write({ operation: 'updateProductSalesChannelStatus', variables }, null);
  }

  async #sql(): Promise<void> {
    const vendorId = this.#token();
    const start = performance.now();
    await this.#access.sql(this.#one(this.#shop.products).id, vendorId);
    this.#note({ operation: 'sql', variables: {} }, { vendorId }, { start, outcome: 'done' });
  }

  async #dryRun(): Promise<void> {
    const vendorId = this.#token();
    const { id } = this.#one(this.#shop.products);
    const variables = { id, patch: { vendorId } };
    const headers = {
      'x-dry-run': 'true',
      ...this.#one<Record<string, string>>([{}, { 'idempotency-key': vendorId }]),
    };
    const { body, start } = await this.#send({ operation: 'updateProduct', variables, headers });
    if (body.errors) this.#unexpected(`dry run: ${JSON.stringify(body.errors)}`);
    this.#note({ operation: 'dry run', variables }, { vendorId }, { start, outcome: 'none' });
  }

  /** A change of another merchant's product, customer or list of products. */
  async #trespass(): Promise<void> {
    const { id } = this.#one(this.#shop.products);
    const sent = this.#one<Sent>([
      { operation: 'updateProduct', variables: { id, patch: { vendorId: this.#token() } } },
      { operation: 'deleteProductList', variables: { idList: [id] } },
      { operation: 'deleteCustomerList', variables: { idList: [this.#one(this.#shop.customerIds)] } },
    ]);
    const body = await this.#access.foreign(sent.operation, sent.variables);
    if (codeOf(body) !== 'NOT_FOUND') this.#unexpected(`of another merchant: ${JSON.stringify(body)}`);
  }

  async #read(): Promise<{ id: string; version: number; variants: { id: string }[] } | undefined> {
    const variables = { id: { eq: this.#one(this.#shop.products).id }, includeDeleted: true };
    const { body, start, end } = await this.#send({ operation: 'listProduct', variables });
    const page = body.data?.['listProduct'] as { data: { id: string; version: number; variants: { id: string }[] }[] };
    const [record] = page?.data ?? [];
    if (record)
      this.#history.reads.push({
        client: this.#name,
        start,
        end,
        record: record.id,
        version: record.version,
        state: membersOf(record),
      });
    return record;
  }

  async #walk(): Promise<void> {
    const ids: string[] = [];
    const sort = this.#one(['createdAt', '-createdAt']);
    for (let after: string | null | undefined; after !== null;) {
      const pagination = { limit: PAGE, ...(after && { after }) };
      const { body } = await this.#send({ operation: 'listProduct', variables: { sort, pagination } });
      const page = body.data?.['listProduct'] as { data: { id: string }[]; hasNext: boolean; endCursor: string | null };
      if (!page || ids.length > 40) return;
      ids.push(...page.data.map(({ id }) => id));
      after = page.hasNext ? page.endCursor : null;
    }
    this.#history.walks.push({ ids, expected: this.#shop.products.map(({ id }) => id) });
  }

  /** Sends a write, and writes it down. `changes` is null if its effect cannot be recognized. */
  async #write(sent: Sent, changes: Record<string, unknown> | null): Promise<Answer['body']> {
    const { body, start } = await this.#send(sent);
    const code = codeOf(body);
    const outcome = code === null ? 'done' : UNKNOWN.includes(code) ? 'unknown' : 'none';
    if (outcome === 'none' && !REFUSED.includes(code!))
      this.#unexpected(`${sent.operation}: ${JSON.stringify(body.errors)}`);
    const saved = body.data?.[sent.operation] as { version?: number } | undefined;
    if (changes) this.#note(sent, changes, { start, outcome, version: saved?.version });
    return body;
  }

  #note(
    { operation }: Sent,
    changes: Record<string, unknown>,
    rest: { start: number; outcome: Outcome; version?: number | undefined },
  ): void {
    const { version, ...times } = rest;
    const write = { what: `${this.#name}: ${operation}`, end: performance.now(), changes: texts(changes) as Members };
    this.#history.writes.push({ ...write, ...times, ...(version !== undefined && { version }) });
  }

  async #send({ operation, variables, headers }: Sent): Promise<{ body: Answer['body']; start: number; end: number }> {
    const start = performance.now();
    const body = await this.#access.send(operation, variables, headers);
    return { body, start, end: performance.now() };
  }

  #unexpected(text: string): void {
    this.#history.unexpected.push(`${this.#name}: ${text}`);
  }

  #token(): string {
    this.#writes += 1;
    return `${this.#name}-${this.#writes}`;
  }

  /** A number that no other write has, with all decimals that a price may have. */
  #amount(): number {
    this.#writes += 1;
    return Number(`${this.#writes}.${String(Number(this.#name.slice(1)) + 1).padStart(6, '0')}`);
  }

  #one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }
}
