/** One merchant of the generated database, with the records that requests refer to. */
export type Shop = {
  merchantId: string;
  authorizedAppId: string;
  /** The products in the order of their creation. */
  products: readonly ShopProduct[];
  brandId: string;
  tagId: string;
  /** A category without a parent, by id and by name. */
  category: { id: string; name: string };
  /** A page far from the first one, and the cursor of the page before it. */
  deepPage: number;
  deepCursor: string;
  /** Search texts to use instead of the words of single products. */
  searches?: readonly string[];
};

export type ShopProduct = { id: string; name: string; variants: readonly { id: string; sku: string }[] };

export type GraphQLRequest = { query: string; variables: Record<string, unknown> };

/** A request, and the part of its response that must be the same from the service and from what it is compared with. */
export type Exchange = {
  /** `n` counts the requests of a run. */
  request: (shop: Shop, n: number) => GraphQLRequest;
  answer: (data: never) => unknown;
};

export type Workload = Exchange & {
  name: string;
  title: string;
  /** Number of different requests; `Infinity` if each is new. */
  distinct: number;
  connections?: number;
  /** The counted unit if one request does many. */
  unit?: { name: string; perRequest: number };
  peer?: Exchange;
  /** Whether its statement is also measured alone. */
  hasFloor?: boolean;
};
