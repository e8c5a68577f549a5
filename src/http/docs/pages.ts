import { readFileSync, readdirSync } from 'node:fs';
import { readReference } from '../../graphql/reference/operation-reference.ts';
import { operationPages } from './operation-pages.ts';
import type { Page } from './page.ts';
import { sectionsOf, withoutComments } from './sections.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
/** The pages that are listed first, in this order. The other files of docs/ follow them. */
const FIRST_PAGES = [
  'getting-started',
  'operations',
  'errors',
  'webhooks',
  'images',
  'limits',
  'clients',
  'schema-policy',
  'running',
  'configuration',
  'command',
  'several-machines',
];
/** Files that are not listed: `index` is served at `/docs`, the others are for developers of the service. */
const OTHER_FILES = ['index', 'glossary', 'performance', 'reliability', 'reliability-tests', 'tables'];
/** The address of the service in the examples of docs/. */
const EXAMPLE_URL = 'http://127.0.0.1:4000';

export type PagesOptions = {
  /** False where introspection needs a token: the pages of operations show the schema to everybody. */
  readonly hasOperations: boolean;
  /** Replaces EXAMPLE_URL in the pages, if it is known. */
  readonly publicUrl: string | undefined;
};

/** Makes all pages from the Markdown files of docs/ and from the SDL. */
export function readPages({ hasOperations, publicUrl }: PagesOptions): Page[] {
  const pages = mainNames().flatMap((name) => {
    if (name === 'errors') return errorPages();
    if (name !== 'operations') return [mainPage(name)];
    return hasOperations ? operationPages(readReference(), domainPages()) : [];
  });
  if (publicUrl === undefined) return pages;
  return pages.map((page) => ({ ...page, markdown: page.markdown.replaceAll(EXAMPLE_URL, publicUrl) }));
}

function mainNames(): string[] {
  const files = markdownFiles(DOCS).filter((name) => !OTHER_FILES.includes(name));
  const first = FIRST_PAGES.filter((name) => name === 'operations' || files.includes(name));
  return [...first, ...files.filter((name) => !first.includes(name))];
}

function mainPage(name: string): Page {
  const markdown = read(`${name}.md`);
  return { path: name, title: sectionsOf(markdown).title, group: null, markdown: withoutComments(markdown) };
}

/** Makes a page for each error code from the sections of errors.md, and a page that lists them. */
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
  const names = markdownFiles(new URL('operations/', DOCS));
  return new Map(names.map((name) => [name, sectionsOf(read(`operations/${name}.md`))]));
}

/** The names of the Markdown files of a folder, without `.md`. */
function markdownFiles(folder: URL): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return files.map((file) => file.replace('.md', '')).toSorted();
}

/** Adapts the relative links of a file for a page that is one folder deeper than the file. */
function oneDeeper(markdown: string): string {
  return markdown.replace(/\]\((?=[\w-]+(?:\.md|\/\)))/g, '](../');
}

function read(file: string): string {
  return readFileSync(new URL(file, DOCS), 'utf8');
}
