import { z } from 'zod';
import { id, MAX_NAME_LENGTH, text } from '../../field-input.ts';
import type { SearchInput } from '../../graphql/generated/types.ts';
import type { ProductConditions } from '../filter/product-filters.ts';

export const MAX_QUERY_LENGTH = 500;
const MAX_LIST_ENTRIES = 1_000;

/** The members that mean the same as the arguments of listProduct. */
const CONDITIONS = [
  'attributeId',
  'brandId',
  'categoryIds',
  'price',
  'salesChannelIds',
  'stock',
  'tagIds',
  'type',
] as const satisfies (keyof ProductConditions & keyof SearchInput)[];

export type SearchConditions = Pick<ProductConditions, (typeof CONDITIONS)[number]>;

const list = (entry: z.ZodType<string>) =>
  z.array(entry).max(MAX_LIST_ENTRIES, `must have at most ${MAX_LIST_ENTRIES} entries`).nullish();

/** The members that `searchInput` checks. GraphQL has checked the conditions. */
export type UncheckedSearch = Omit<SearchInput, (typeof CONDITIONS)[number]>;

export const searchInput = z.object({
  query: text(MAX_QUERY_LENGTH).nullish(),
  productIdList: list(id()),
  skuList: list(text(MAX_NAME_LENGTH)),
  barcodeList: list(text(MAX_NAME_LENGTH)),
  sort: z.string().nullish(),
  pagination: z
    .object({ page: z.number().nullish(), limit: z.number().nullish(), after: z.string().nullish() })
    .nullish(),
});

export type SearchLists = Pick<z.infer<typeof searchInput>, 'productIdList' | 'skuList' | 'barcodeList'>;

export function searchConditions(input: SearchInput): SearchConditions {
  return Object.fromEntries(CONDITIONS.map((name) => [name, input[name]]));
}
