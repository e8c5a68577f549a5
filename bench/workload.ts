/** What requests are made from: one merchant of the generated database. */
export type Shop = {
  merchantId: string;
  authorizedAppId: string;
  /** In the order in which they were created. */
  products: readonly ShopProduct[];
  brandId: string;
  tagId: string;
  /** A category without a parent, by id and by name. */
  category: { id: string; name: string };
  /** A page far behind the first, and the cursor of the page before it. */
  deepPage: number;
  deepCursor: string;
  /** What is searched for, instead of the words of single products. */
  searches?: readonly string[];
};

export type ShopProduct = { id: string; name: string; variants: readonly { id: string; sku: string }[] };

export type GraphQLRequest = { query: string; variables: Record<string, unknown> };

/** A request, and what two systems have to agree upon of its answer. */
export type Exchange = {
  /** `n` counts the requests of a run. */
  request: (shop: Shop, n: number) => GraphQLRequest;
  answer: (data: never) => unknown;
};

export type Workload = Exchange & {
  name: string;
  title: string;
  /** Requests before they repeat; `Infinity` where each is a new one. */
  distinct: number;
  connections?: number;
  /** What is counted, where one request does many. */
  unit?: { name: string; perRequest: number };
  peer?: Exchange;
  /** Whether the statement it comes to is also measured by itself. */
  hasFloor?: boolean;
};
