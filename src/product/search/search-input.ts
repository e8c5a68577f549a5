import { z } from 'zod';
import { MAX_NAME_LENGTH, text } from '../../field-input.ts';

const QUERY_MAX = 500;
const LIST_MAX = 1_000;

const list = () => z.array(text(MAX_NAME_LENGTH)).max(LIST_MAX, `must have at most ${LIST_MAX} entries`).nullish();

export const searchInput = z.object({
  query: text(QUERY_MAX).nullish(),
  productIdList: list(),
  skuList: list(),
  barcodeList: list(),
  pagination: z
    .object({ page: z.number().nullish(), limit: z.number().nullish(), after: z.string().nullish() })
    .nullish(),
});

export type SearchInput = z.infer<typeof searchInput>;
