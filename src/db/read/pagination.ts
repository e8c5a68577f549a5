import { invalidAt } from '../../errors.ts';

const DEFAULT_PAGE_LIMIT = 50;
const MAX_PAGE_LIMIT = 200;

export type Pagination = { page?: number | null; limit?: number | null; after?: string | null };

export type PageRequest = { page: number; limit: number; after: string | null };

/**
 * A page past the end is empty, however large its number: an Int of GraphQL times 200 is a valid offset of PostgreSQL.
 */
export function pageRequest(pagination: Pagination | null | undefined, path: string[] = ['pagination']): PageRequest {
  const { page, limit, after } = pagination ?? {};
  return {
    page: after == null ? within([...path, 'page'], page ?? 1) : 1,
    limit: within([...path, 'limit'], limit ?? DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT),
    after: after ?? null,
  };
}

function within(path: string[], value: number, max?: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= (max ?? value)) return value;
  throw invalidAt(path, `must be a whole number from 1${max === undefined ? '' : ` to ${max}`}`);
}
