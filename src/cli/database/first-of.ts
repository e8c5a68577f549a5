import type { Selection } from '../../db/read/projection.ts';
import type { Page } from '../../db/read/read-page.ts';

const PAGE_SIZE = 200;

type Pagination = { limit: number; after?: string };

/** The first entries of a list, at most `limit`. `hasMore`: it has more of them. */
export async function firstOf<T>(
  limit: number,
  readPage: (pagination: Pagination) => Promise<Page<T>>,
): Promise<{ entries: T[]; hasMore: boolean }> {
  const entries: T[] = [];
  let after: string | null = null;
  for (;;) {
    const pageLimit = Math.min(PAGE_SIZE, limit - entries.length);
    const page = await readPage({ limit: pageLimit, ...(after !== null && { after }) });
    entries.push(...page.data);
    after = page.endCursor;
    if (!page.hasNext || entries.length >= limit) return { entries, hasMore: page.hasNext };
  }
}

/** What a page needs for `firstOf`, with this of each entry. */
export function pageSelection(data: Selection): Selection {
  return { data, endCursor: {}, hasNext: {} };
}
