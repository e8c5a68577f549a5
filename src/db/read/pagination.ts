import { argumentInvalid } from '../../errors.ts';

export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 200;
/** Beyond any real list, and far below an integer overflow of the offset. */
export const MAX_PAGE = 1_000_000;

export type Pagination = { page?: number | null; limit?: number | null; after?: string | null };

export type PageRequest = { page: number; limit: number; after: string | null };

export function pageRequest(pagination: Pagination | null | undefined, path: string[] = ['pagination']): PageRequest {
  const { page, limit, after } = pagination ?? {};
  return {
    page: within([...path, 'page'], page ?? 1, MAX_PAGE),
    limit: within([...path, 'limit'], limit ?? DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT),
    after: after ?? null,
  };
}

function within(path: string[], value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw argumentInvalid([{ path, message: `must be a whole number from 1 to ${max}` }]);
}
