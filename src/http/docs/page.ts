/** A page of the documentation. */
export type Page = {
  /** Below `/docs`, as its Markdown file is named below `docs`: `operations/saveProduct`. */
  readonly path: string;
  readonly title: string;
  /** Pages of one group link to each other: a domain's operations, all errors. Null for the main pages. */
  readonly group: string | null;
  readonly markdown: string;
};

/** The page of `/docs` itself. */
export const INDEX_PATH = 'index';

/** The address of a page, without `.md`. */
export function pageAddress(path: string): string {
  return path === INDEX_PATH ? '/docs' : `/docs/${path}`;
}
