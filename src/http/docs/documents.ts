import { readFileSync } from 'node:fs';
import { renderLayout } from './layout.ts';
import { headingId, renderMarkdown, servedMarkdown } from './markdown.ts';
import { INDEX_PATH, type Page, pageAddress } from './page.ts';
import { type PagesOptions, readPages } from './pages.ts';
import { withoutComments } from './sections.ts';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const HEADING = /^#{2,3} (.+)$/gm;
const ASSETS = new URL('assets/', import.meta.url);
const TITLE = 'Commerce administration';
const SUMMARY =
  'A service with which authorized apps manage a merchant’s store: products, categories, stock, prices, customers and webhooks. One GraphQL endpoint, and one REST route for images.';

/** A text that is served at a path, with its media type. */
export type Document = { readonly path: string; readonly type: string; readonly text: string };

/** Renders everything that is served below `/docs`, and `/llms.txt`. */
export function makeDocuments(options: PagesOptions): Document[] {
  const pages = [indexPage(), ...readPages(options)];
  const paths = new Set(pages.map(({ path }) => path));
  const listed = pages.filter(({ path }) => path !== INDEX_PATH);
  const rendered = pages.flatMap((page) => [
    {
      path: pageAddress(page.path),
      type: HTML,
      text: renderLayout({ page, content: renderMarkdown(page.path, page.markdown, paths), pages: listed }),
    },
    { path: `/docs/${page.path}.md`, type: MARKDOWN, text: servedMarkdown(page.path, page.markdown, paths) },
  ]);
  return [
    ...rendered,
    { path: '/llms.txt', type: 'text/plain; charset=utf-8', text: llmsText(listed, options) },
    { path: '/docs/search.json', type: 'application/json; charset=utf-8', text: searchIndex(listed) },
    { path: '/docs/search.js', type: 'text/javascript; charset=utf-8', text: asset('search.js') },
    { path: '/docs/docs.css', type: 'text/css; charset=utf-8', text: asset('docs.css') },
  ];
}

function indexPage(): Page {
  const markdown = withoutComments(readFileSync(new URL('../../../docs/index.md', import.meta.url), 'utf8'));
  return { path: INDEX_PATH, title: 'Documentation', group: null, markdown };
}

/** A list of the pages for language models, in the form of https://llmstxt.org. */
function llmsText(pages: readonly Page[], { publicUrl = '' }: PagesOptions): string {
  const line = ({ path, title }: Page): string => `- [${title}](${publicUrl}/docs/${path}.md)`;
  const main = pages.filter(({ group }) => group === null).map(line);
  const operations = pages.filter(({ path }) => path.startsWith('operations/')).map(line);
  const errors = pages.filter(({ group }) => group === 'errors').map(line);
  const sections = [['Guides', main] as const, ['Operations', operations] as const, ['Errors', errors] as const];
  const texts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `## ${name}\n\n${lines.join('\n')}`);
  return `${[`# ${TITLE}`, `> ${SUMMARY}`, ...texts].join('\n\n')}\n`;
}

/**
 * Path, title, words and headings of each page, as JSON for the search in the browser. Code blocks repeat words of the
 * text. The headings of operations and errors are the same on all of their pages.
 */
function searchIndex(pages: readonly Page[]): string {
  const entries = pages.map(({ path, title, group, markdown }) => {
    const text = markdown.replace(/^# .*/, '').replace(/^```[^]*?^```$/gm, ' ');
    const words = text.replace(/\]\([^)]*\)/g, ' ').replace(/[|#`*[\]]|^-+$/gm, ' ');
    const headings = group === null ? [...text.matchAll(HEADING)].map(([, heading]) => heading!) : [];
    return [path, title, words.replace(/\s+/g, ' ').trim(), headings.map((heading) => [heading, headingId(heading)])];
  });
  return JSON.stringify(entries);
}

function asset(name: string): string {
  return readFileSync(new URL(name, ASSETS), 'utf8');
}
