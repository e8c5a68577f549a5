import type { Answer } from '../../support/post.ts';
import { membersOf, priceOf } from './records.ts';
import { RecordingClient, type Sent } from './recording-client.ts';
import { codeOf, isUnknown, outcomeOf } from './shop.ts';

const PAGE = 2;
const HOUR_MS = 3_600_000;
/** How often a client repeats a request with a key that was not answered. */
const MAX_REPEATS = 20;

/** A client that does something random, again and again. */
export class HistoryClient extends RecordingClient {
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
      () => this.#adjust(),
      () => this.#sell(),
      () => this.#setActive(),
      () => this.#sql(),
      () => this.#dryRun(),
      () => this.#trespass(),
      () => this.#read(),
      () => this.#walk(),
    ];
    await this.one(actions)();
  }

  async #patch(): Promise<void> {
    const vendorId = this.token();
    const { id } = this.one(this.shop.products);
    await this.write({ operation: 'updateProduct', variables: { id, patch: { vendorId } } }, { vendorId });
  }

  async #patchVariant(): Promise<void> {
    const { id, variantIds } = this.one(this.shop.products);
    const [variantId, sku] = [this.one(variantIds), this.token()];
    const variables = { id, patch: { variants: [{ id: variantId, sku }] } };
    await this.write({ operation: 'updateProduct', variables }, { [`sku of ${variantId}`]: sku });
  }

  async #savePrice(): Promise<void> {
    const { id: productId, variantIds } = this.one(this.shop.products);
    const variantId = this.one(variantIds);
    const priceListId = this.one([null, this.shop.priceListId]);
    const sellPrice = this.amount();
    const input = { priceListId, variantPriceInputs: [{ productId, variantId, price: { sellPrice } }] };
    await this.write(
      { operation: 'saveVariantPrices', variables: { input } },
      { [priceOf(variantId, priceListId)]: sellPrice },
    );
  }

  /** Reads a product, and sends it back with its version and another name. */
  async #saveWhole(): Promise<void> {
    const read = await this.#read();
    if (!read) return;
    const { id, version, variants } = read;
    const name = this.token();
    const sent = variants.map((variant) => ({ id: variant.id, prices: [] }));
    const input = { id, version, name, type: 'PHYSICAL', variants: sent };
    await this.write({ operation: 'saveProduct', variables: { input } }, { name });
  }

  async #saveCustomer(): Promise<void> {
    const firstName = this.token();
    const lastName = this.one([undefined, this.token()]);
    const input = { id: this.one(this.shop.customerIds), firstName, ...(lastName && { lastName }) };
    const { id: _, ...changes } = input;
    await this.write({ operation: 'saveCustomer', variables: { input } }, changes);
  }

  /** Two requests with one idempotency key at the same time, and repeated until one is answered. */
  async #createTwice(): Promise<void> {
    const firstName = this.token();
    const sent = {
      operation: 'saveCustomer',
      variables: { input: { firstName } },
      headers: { 'idempotency-key': firstName },
    };
    const start = performance.now();
    const send = async () => await this.write(sent, null);
    const [one, other] = await Promise.all([this.#repeated(send), send()]);
    this.note(sent, { firstName }, { start, outcome: outcomeOf(isUnknown(one) ? other : one) });
    if (!isUnknown(one) && !isUnknown(other) && JSON.stringify(one.data) !== JSON.stringify(other.data))
      this.unexpected(`one key, two answers: ${JSON.stringify([one, other])}`);
  }

  async #repeated(send: () => Promise<Answer['body']>): Promise<Answer['body']> {
    let body = await send();
    for (let repeat = 0; isUnknown(body) && repeat < MAX_REPEATS; repeat += 1) body = await send();
    return body;
  }

  /** Two bulk requests with one new sourceId: one creates the product, and the other updates it. */
  async #createInBulk(): Promise<void> {
    const sourceId = this.token();
    const save = async () => {
      const name = this.token();
      const input = [{ sourceId, name, type: 'PHYSICAL', categories: [], productVariantTypes: [], variants: [] }];
      return await this.write({ operation: 'bulkUpdateProducts', variables: { input } }, { name });
    };
    const answers = await Promise.all([save(), save()]);
    if (answers.some((answer) => answer.errors && !isUnknown(answer)))
      this.unexpected(`refused: ${JSON.stringify(answers)}`);
  }

  async #saveStock(): Promise<void> {
    const { id: productId, variantIds } = this.one(this.shop.products);
    const stockCount = this.amount();
    const row = { productId, variantId: this.one(variantIds), stockLocationId: this.shop.locationId, stockCount };
    const input = { productStockLocationInputs: [row] };
    await this.write({ operation: 'saveProductStockLocations', variables: { input } }, { stockCount });
  }

  /** Each movement of the place has the key of a write. A key that is sent again moves nothing. */
  async #adjust(): Promise<void> {
    const key = this.token();
    const entry = { ...this.#movedPlace(), key, delta: this.one([1, -1, 2.5]), allowNegative: true };
    const sent = { operation: 'adjustStock', variables: { input: [entry] } };
    await this.#writeOnce(sent, { key });
    if (this.one([true, false])) await this.write(sent, null);
  }

  async #sell(): Promise<void> {
    const key = this.token();
    const entry = { ...this.#movedPlace(), key, quantity: 1, expiresAt: Date.now() + HOUR_MS };
    const held = await this.#repeated(
      async () => await this.write({ operation: 'holdStock', variables: { input: [entry] } }, null),
    );
    const idList = ((held.data?.['holdStock'] ?? []) as { id: string }[]).map(({ id }) => id);
    if (idList.length > 0) await this.#writeOnce({ operation: 'commitHold', variables: { idList } }, { key });
  }

  /** Of an operation that is executed once, however often it is sent: repeated until it is answered. */
  async #writeOnce(sent: Sent, changes: Record<string, unknown>): Promise<void> {
    const start = performance.now();
    const body = await this.#repeated(async () => await this.write(sent, null));
    this.note(sent, changes, { start, outcome: outcomeOf(body) });
  }

  #movedPlace() {
    const { id: productId, variantIds } = this.one(this.shop.products);
    return { productId, variantId: this.one(variantIds), stockLocationId: this.shop.movedLocationId };
  }

  /** Changes no value that the history has, and the row of a product that other writes change. */
  async #setActive(): Promise<void> {
    const { id: productId } = this.one(this.shop.products);
    const input = [{ productId, active: this.one([true, false]) }];
    const variables = { salesChannelId: this.shop.channelId, input };
    await this.write({ operation: 'updateProductSalesChannelStatus', variables }, null);
  }

  async #sql(): Promise<void> {
    const vendorId = this.token();
    const start = performance.now();
    const isDone = await this.access.sql(this.one(this.shop.products).id, vendorId);
    const outcome = isDone ? 'done' : 'unknown';
    this.note({ operation: 'sql', variables: {} }, { vendorId }, { start, outcome });
  }

  async #dryRun(): Promise<void> {
    const vendorId = this.token();
    const { id } = this.one(this.shop.products);
    const variables = { id, patch: { vendorId } };
    const headers = {
      'x-dry-run': 'true',
      ...this.one<Record<string, string>>([{}, { 'idempotency-key': vendorId }]),
    };
    const { body, start } = await this.send({ operation: 'updateProduct', variables, headers });
    if (body.errors && !isUnknown(body)) this.unexpected(`dry run: ${JSON.stringify(body.errors)}`);
    this.note({ operation: 'dry run', variables }, { vendorId }, { start, outcome: 'none' });
  }

  /** A change of another merchant's product, customer or list of products. */
  async #trespass(): Promise<void> {
    const { id } = this.one(this.shop.products);
    const sent = this.one<Sent>([
      { operation: 'updateProduct', variables: { id, patch: { vendorId: this.token() } } },
      { operation: 'deleteProductList', variables: { idList: [id] } },
      { operation: 'deleteCustomerList', variables: { idList: [this.one(this.shop.customerIds)] } },
    ]);
    const body = await this.access.foreign(sent.operation, sent.variables);
    if (codeOf(body) !== 'NOT_FOUND' && !isUnknown(body))
      this.unexpected(`of another merchant: ${JSON.stringify(body)}`);
  }

  async #read(): Promise<{ id: string; version: number; variants: { id: string }[] } | undefined> {
    const variables = { id: { eq: this.one(this.shop.products).id }, includeDeleted: true };
    const { body, start, end } = await this.send({ operation: 'listProduct', variables });
    const page = body.data?.['listProduct'] as { data: { id: string; version: number; variants: { id: string }[] }[] };
    const [record] = page?.data ?? [];
    if (record)
      this.history.reads.push({
        client: this.name,
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
    const sort = this.one(['createdAt', '-createdAt']);
    for (let after: string | null | undefined; after !== null;) {
      const pagination = { limit: PAGE, ...(after && { after }) };
      const { body } = await this.send({ operation: 'listProduct', variables: { sort, pagination } });
      const page = body.data?.['listProduct'] as { data: { id: string }[]; hasNext: boolean; endCursor: string | null };
      if (!page || ids.length > 40) return;
      ids.push(...page.data.map(({ id }) => id));
      after = page.hasNext ? page.endCursor : null;
    }
    this.history.walks.push({ ids, expected: this.shop.products.map(({ id }) => id) });
  }
}
