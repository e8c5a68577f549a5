import { readFileSync, readdirSync } from 'node:fs';
import { readReference } from '../../graphql/reference/operation-reference.ts';
import { operationPages } from './operation-pages.ts';
import type { Page } from './page.ts';
import { sectionsOf, withoutComments } from './sections.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
/** In the order in which they are listed. `operations` and `errors` have pages below them. */
const MAIN_PAGES = [
  'getting-started',
  'operations',
  'errors',
  'webhooks',
  'images',
  'limits',
  'clients',
  'schema-policy',
];
/** In the examples of the sources. */
const EXAMPLE_URL = 'http://127.0.0.1:4000';

export type PagesOptions = {
  /** The pages of operations show the schema: they are left out where introspection needs a token. */
  readonly hasOperations: boolean;
  /** Replaces the address in examples. */
  readonly publicUrl: string | undefined;
};

/** All pages, from the Markdown files and the SDL. */
export function readPages({ hasOperations, publicUrl }: PagesOptions): Page[] {
  const pages = MAIN_PAGES.flatMap((name) => {
    if (name === 'errors') return errorPages();
    if (name !== 'operations') return [mainPage(name)];
    return hasOperations ? operationPages(readReference(), domainPages()) : [];
  });
  if (publicUrl === undefined) return pages;
  return pages.map((page) => ({ ...page, markdown: page.markdown.replaceAll(EXAMPLE_URL, publicUrl) }));
}

function mainPage(name: string): Page {
  const markdown = read(`${name}.md`);
  return { path: name, title: sectionsOf(markdown).title, group: null, markdown: withoutComments(markdown) };
}

/** A page for each code, and one that lists them. */
function errorPages(): Page[] {
  const { title, intro, sections } = sectionsOf(read('errors.md'));
  const list = sections.map(({ heading }) => `- [${heading}](errors/${heading}.md)`).join('\n');
  const index = { path: 'errors', title, group: null, markdown: `# ${title}\n\n${intro}\n\n${list}` };
  const pages = sections.map(({ heading, text }) => ({
    path: `errors/${heading}`,
    title: heading,
    group: 'errors',
    markdown: `# ${heading}\n\n${oneDeeper(text)}`,
  }));
  return [index, ...pages];
}

function domainPages(): Map<string, ReturnType<typeof sectionsOf>> {
  const files = readdirSync(new URL('operations/', DOCS)).filter((file) => file.endsWith('.md'));
  return new Map(files.map((file) => [file.replace('.md', ''), sectionsOf(read(`operations/${file}`))]));
}

/** The relative links of a page that is divided, on a page one level deeper. */
function oneDeeper(markdown: string): string {
  return markdown.replace(/\]\((?=[\w-]+\.md)/g, '](../');
}

function read(file: string): string {
  return readFileSync(new URL(file, DOCS), 'utf8');
}
