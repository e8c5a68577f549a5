import { parentPort, workerData } from 'node:worker_threads';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { compress, type ContentCoding } from '../protocol/content-coding.ts';
import { START_TABS, TABS_MENDED, TOKEN_BAR } from './graphiql-start.ts';

const ROOT = '<div id="root"></div>';

export type CompressedPage = Record<ContentCoding, Uint8Array<ArrayBuffer>>;

/**
 * Renders and compresses GraphiQL once. @fastify/compress would compress it for each request, 200 ms for this page, so
 * that anonymous clients could occupy libuv's thread pool. Runs in a worker thread: the package and the page, 9 MB
 * each, would block the event loop for 150 ms and stay in the process's heap.
 */
const html = renderGraphiQL({
  title: 'Commerce Administration',
  endpoint: workerData as string,
  defaultTabs: START_TABS.map(({ query, headers = null }) => ({ query, headers })),
});
const page = Buffer.from(html.replace(ROOT, (root) => TOKEN_BAR + TABS_MENDED + root));
const [br, gzip] = [compress(page, 'br'), compress(page, 'gzip')];
parentPort!.postMessage({ br, gzip } satisfies CompressedPage, [br.buffer, gzip.buffer]);
