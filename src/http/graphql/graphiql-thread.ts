import { parentPort, workerData } from 'node:worker_threads';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { compress, type ContentCoding } from '../protocol/content-coding.ts';
import { PAGE_MENDED } from './graphiql-mended.ts';
import { START_TABS, TOKEN_BAR } from './graphiql-start.ts';

/** Texts of the package's page, each of which it has once, and what stands in their place. */
const REPLACED: readonly (readonly [string, string])[] = [
  ['<div id="root"></div>', `${TOKEN_BAR}${PAGE_MENDED}<div id="root" role="main"></div>`],
  // GraphiQL would show the stack of its own errors, such as syntax errors.
  [',stack:e.stack', ''],
  // A query in the address is opened. Without one GraphiQL opens the tabs that it has stored.
  ['"query":null', '"query":new URLSearchParams(location.search).get("query")||null'],
  // Each edit would be written to the address, and a reload would open it in another tab.
  ['qne({query:e.defaultQuery||t},r,!1)', '[{},()=>{}]'],
];

/**
 * How often GraphiQL names the store in which it keeps open tabs and the last 20 operations, with variables and headers. They
 * may be personal data or tokens, so they are kept for the browser tab only, as the access token is.
 */
const NAMES_OF_STORE = 9;

/** Without it the package opens a welcome text of its own. Its types do not allow null. */
const NO_QUERY: object = { query: null };

export type CompressedPage = Record<ContentCoding, Uint8Array<ArrayBuffer>>;

/**
 * Renders and compresses GraphiQL once. @fastify/compress would compress it for each request, 200 ms for this page, so
 * that anonymous clients could occupy libuv's thread pool. Runs in a worker thread: the package and the page, 2 MB
 * each, would block the event loop and stay in the process's heap. Version 5.15.1 of the package has GraphiQL with CodeMirror;
 * later ones have Monaco and make a page of 9 MB.
 */
const html = renderGraphiQL({
  title: 'Commerce Administration',
  endpoint: workerData as string,
  ...NO_QUERY,
  defaultTabs: START_TABS.map(({ query, headers = null }) => ({ query, headers })),
});
const page = Buffer.from(REPLACED.reduce(replacedOnce, keptForTab(html)));
const [br, gzip] = [compress(page, 'br'), compress(page, 'gzip')];
parentPort!.postMessage({ br, gzip } satisfies CompressedPage, [br.buffer, gzip.buffer]);

function keptForTab(text: string): string {
  const parts = text.split('localStorage');
  if (parts.length !== NAMES_OF_STORE + 1) throw new Error(`GraphiQL names localStorage ${parts.length - 1} times.`);
  return parts.join('sessionStorage');
}

function replacedOnce(text: string, [from, to]: readonly [string, string]): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`GraphiQL has the text ${from} ${parts.length - 1} times.`);
  return parts.join(to);
}
