/** A page of the documentation. */
export type Page = {
  /** Its address below `/docs/`, such as `operations/saveProduct`. For a file of `docs/` the name without `.md`. */
  readonly path: string;
  readonly title: string;
  /** Pages of one group link to each other: a domain's operations, all errors. Null for the main pages. */
  readonly group: string | null;
  readonly markdown: string;
};

/** The path of the page that is served at `/docs` itself. */
export const INDEX_PATH = 'index';

/** The address of a page as HTML. */
export function pageAddress(path: string): string {
  return path === INDEX_PATH ? '/docs' : `/docs/${path}`;
}
