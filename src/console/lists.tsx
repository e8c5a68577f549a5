import { useEffect, useState } from 'preact/hooks';

/** The service lists at most so many records on a page. */
export const MAX_PAGE_SIZE = 200;

/** A field that filters a list which is shown already, by parts of its texts. */
export function FilterField({ label, onFilter }: { label: string; onFilter: (text: string) => void }) {
  return (
    <label class="filter">
      {label} <input type="search" autocomplete="off" onInput={(event) => onFilter(event.currentTarget.value)} />
    </label>
  );
}

/** The number of the page that is shown; the first one again when the list becomes another one. */
export function usePage(list: string): [number, (page: number) => void] {
  const [page, setPage] = useState(1);
  useEffect(() => setPage(1), [list]);
  return [page, setPage];
}

/** Buttons for the other pages of a list; nothing if there is one page. */
export function Pager(props: { page: number; hasNext: boolean; onPage: (page: number) => void; what: string }) {
  const { page, hasNext, onPage, what } = props;
  if (page === 1 && !hasNext) return null;
  return (
    <div class="actions">
      <button type="button" class="quiet" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous {what}
      </button>
      <span>Page {page}</span>
      <button type="button" class="quiet" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next {what}
      </button>
    </div>
  );
}
