import { argumentInvalid } from '../../errors.ts';

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;
/** Past any real list, and far from where offsets overflow. */
export const PAGE_MAX = 1_000_000;

export type Pagination = { page?: number | null; limit?: number | null; after?: string | null };

export type PageRequest = { page: number; limit: number; after: string | null };

export function pageRequest(pagination: Pagination | null | undefined, path: string[] = ['pagination']): PageRequest {
  const { page, limit, after } = pagination ?? {};
  return {
    page: within([...path, 'page'], page ?? 1, PAGE_MAX),
    limit: within([...path, 'limit'], limit ?? PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX),
    after: after ?? null,
  };
}

function within(path: string[], value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw argumentInvalid([{ path, message: `must be a whole number from 1 to ${max}` }]);
}
