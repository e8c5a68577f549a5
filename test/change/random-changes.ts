import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { random } from '../support/random.ts';

/** Of products and of customers: `asOf` takes at most 200 ids. */
const MAX_RECORDS = 100;
/** Behind the positions that saves give. */
const FIRST_POSITION = 1_000;

/** Random changes of one merchant by requests and by plain SQL. */
export class RandomChanges {
  /** Texts that a confirmed change has written. */
  readonly confirmed: string[] = [];
  readonly #own: Context;
  /** Sends a request. Throws if there is no answer, or one with errors. */
  readonly #send: (query: string, variables: object) => Promise<any>;
  readonly #next = random(32);
  readonly #brands: string[] = [];
  #placed = FIRST_POSITION;

  /** `own`: with the database as the owner. */
  constructor(own: Context, send: (query: string, variables: object) => Promise<any>) {
    this.#own = own;
    this.#send = send;
  }

  async prepare(): Promise<void> {
    for (const name of ['A', 'B'])
      this.#brands.push(await this.#save('saveProductBrand', 'ProductBrandInput', { name }));
  }

  async idsOf(table: string): Promise<string[]> {
    return await this.#ids(table, sql`true`);
  }

  /** One change by a request or by plain SQL. `text` is in what it writes. */
  async change(text: string): Promise<void> {
    const product = await this.#any('product');
    const kind = product ? this.#next(12) : 0;
    if (kind <= 1) {
      if ((await this.#count('product')) < MAX_RECORDS)
        await this.#save('saveProduct', 'ProductInput', this.#product(text));
    } else if (kind === 2) await this.#update(product!, { name: text, description: this.#next(2) ? 'text' : null });
    else if (kind === 3)
      await this.#update(product!, { variants: [this.#variant(text)], metaData: { pageTitle: text } });
    else if (kind === 4)
      await this.#send(`mutation ($ids: [ID!]!) { deleteProductList(idList: $ids) }`, { ids: [product] });
    else if (kind === 5)
      await this.#save('saveProductBrand', 'ProductBrandInput', { id: this.#brands[this.#next(2)], name: text });
    else if (kind === 6) await this.#saveCustomer(text);
    else if (kind === 7) await this.#sql(text, this.#statements(product!, text));
    else if (kind === 8) await this.#rolledBack(this.#statements(product!, `rolled back ${text}`));
    else if (kind === 9) await this.#sql(text, await this.#move(product!, text));
    else if (kind === 10)
      await this.#sql(text, [sql`update customer set note = ${text} where ${this.#owned()} returning id`]);
    else if (this.#next(3) === 0)
      await this.#sql(text, [sql`delete from product where ${this.#owned()} and id = ${product}`]);
  }

  #product(text: string): object {
    const variants = Array.from({ length: 1 + this.#next(3) }, (_, n) => this.#variant(`${text}${n}`));
    return { name: text, type: 'PHYSICAL', brandId: this.#brands[this.#next(2)], variants };
  }

  #variant(sku: string): object {
    return {
      sku,
      prices: [{ sellPrice: this.#next(1_000) / 8, ...(this.#next(2) && { discountPrice: this.#next(50) }) }],
    };
  }

  /** Statements of one transaction, of which one changes again what another one has changed. */
  #statements(product: string, text: string): SQL[] {
    const owned = this.#owned();
    return [
      sql`update product set weight = ${this.#next(50)}, updated_at = now(), version = version + 1
        where ${owned} and id = ${product}`,
      sql`update variant set sku = 'first', weight = 1.5 where ${owned} and product_id = ${product}`,
      sql`update variant set sku = ${text} where ${owned} and product_id = ${product}`,
      sql`update product set name = ${text} where ${owned} and id = ${product} returning id`,
    ];
  }

  async #move(product: string, text: string): Promise<SQL[]> {
    const to = await this.#any('product');
    const moved = sql`id = (select id from variant where ${this.#owned()} and product_id = ${product} order by id limit 1)`;
    return [
      sql`update variant set product_id = ${to}, sku = ${text}, position = ${this.#placed++}
        where ${this.#owned()} and ${moved}`,
      sql`update product set name = ${text} where ${this.#owned()} and id = ${product} returning id`,
    ];
  }

  async #saveCustomer(text: string): Promise<void> {
    const id = this.#next(3) > 0 ? await this.#any('customer') : undefined;
    if (id !== undefined || (await this.#count('customer')) < MAX_RECORDS)
      await this.#save('saveCustomer', 'CustomerInput', { ...(id && { id }), firstName: text });
  }

  async #save(operation: string, type: string, input: object): Promise<string> {
    const saved = await this.#send(`mutation ($input: ${type}!) { ${operation}(input: $input) { id } }`, { input });
    const { name, firstName } = input as { name?: string; firstName?: string };
    this.confirmed.push(name ?? firstName!);
    return saved[operation].id;
  }

  async #update(
    id: string,
    patch: { name?: string; metaData?: { pageTitle: string }; [member: string]: unknown },
  ): Promise<void> {
    await this.#send(
      'mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }',
      {
        id,
        patch,
      },
    );
    this.confirmed.push(patch.name ?? patch.metaData!.pageTitle);
  }

  /** The last statement returns the rows in which it wrote the text. */
  async #sql(text: string, statements: readonly SQL[]): Promise<void> {
    const written = await this.#own.db.transaction(async (transaction) => {
      let rows = 0;
      for (const statement of statements) rows = (await transaction.execute(statement)).length;
      return rows;
    });
    if (written > 0) this.confirmed.push(text);
  }

  async #rolledBack(statements: readonly SQL[]): Promise<void> {
    await this.#own.db.transaction(async (transaction) => {
      for (const statement of statements) await transaction.execute(statement);
      throw new Error('rolled back');
    });
  }

  async #any(table: string): Promise<string | undefined> {
    const rows = await this.#ids(table, sql`not deleted`);
    return rows[this.#next(rows.length)];
  }

  async #count(table: string): Promise<number> {
    return (await this.idsOf(table)).length;
  }

  async #ids(table: string, condition: SQL): Promise<string[]> {
    const rows = await this.#own.db.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where ${this.#owned()} and ${condition} order by id`,
    );
    return rows.map(({ id }) => id);
  }

  #owned(): SQL {
    return sql`merchant_id = ${this.#own.merchantId}`;
  }
}
