import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase } from '../../support/database.ts';
import { type CallOperation, startOperations } from '../../support/operation.ts';

export type Read = {
  [member: string]: unknown;
  id: string;
  variants: Read[];
  prices: object[];
  productVariantTypes: { variantValueIds: string[] }[];
};
type Answer = Awaited<ReturnType<CallOperation>>;

export type Feeds = {
  /** Sends products as a supplier does, and returns the response. */
  send(...products: object[]): Promise<Answer>;
  /** Sends products that are accepted. */
  feed(...products: object[]): Promise<void>;
  /** All products of the merchant with all fields, also deleted ones, sorted by name. */
  products(): Promise<Read[]>;
  /** The only product of the merchant. */
  product(): Promise<Read>;
  save(mutation: string, input: object): Promise<Read>;
  list(query: string): Promise<Read[]>;
};

/** Calls operations over HTTP for a merchant and its supplier. */
export function feedsOf(call: CallOperation, ctx: Context): Feeds {
  const answered = async (name: string, variables: object): Promise<never> => {
    const { data, errors } = await call(ctx, name, variables);
    expect(errors).toBeUndefined();
    return data![name] as never;
  };
  const products = async (): Promise<Read[]> => {
    const page: { data: Read[] } = await answered('listProduct', { includeDeleted: true, sort: 'name' });
    return page.data;
  };
  return {
    send: async (...input) => await call(ctx, 'bulkUpdateProducts', { input }),
    feed: async (...input) => await answered('bulkUpdateProducts', { input }),
    products,
    product: async () => {
      const all = await products();
      expect(all).toHaveLength(1);
      return all[0]!;
    },
    save: async (mutation, input) => await answered(mutation, { input }),
    list: async (query) => await answered(query, {}),
  };
}

/** A database and a server for the tests of a file. Returns the feeds of the present test, which has a merchant of its own. */
export function feeding(): () => Feeds {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: Awaited<ReturnType<typeof startOperations>>;
  let feeds: Feeds;
  beforeAll(async () => {
    database = await createDatabase();
    server = await startOperations(database.db);
  });
  beforeEach(async () => {
    feeds = feedsOf(server.call, await createContext(database.db));
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });
  return () => feeds;
}

/** A product of a feed with only the required members. */
export function entry(sourceId: string, variants: object[], more: object = {}): object {
  return { sourceId, name: sourceId, type: 'PHYSICAL', categories: [], productVariantTypes: [], variants, ...more };
}

export function size(name: string): object {
  return { variantValues: [{ variantTypeName: 'Size', variantValueName: name }] };
}

export function sizes(...names: string[]): object {
  const variantValues = names.map((name) => ({ name }));
  return { productVariantTypes: [{ order: 0, variantTypeName: 'Size', variantValues }] };
}
