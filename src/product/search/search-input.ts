import { z } from 'zod';
import { MAX_NAME_LENGTH, text } from '../../field-input.ts';

export const MAX_QUERY_LENGTH = 500;
const MAX_LIST_ENTRIES = 1_000;

const list = () =>
  z.array(text(MAX_NAME_LENGTH)).max(MAX_LIST_ENTRIES, `must have at most ${MAX_LIST_ENTRIES} entries`).nullish();

export const searchInput = z.object({
  query: text(MAX_QUERY_LENGTH).nullish(),
  productIdList: list(),
  skuList: list(),
  barcodeList: list(),
  pagination: z
    .object({ page: z.number().nullish(), limit: z.number().nullish(), after: z.string().nullish() })
    .nullish(),
});

export type SearchInput = z.infer<typeof searchInput>;
