import { parentPort, workerData } from 'node:worker_threads';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { compress, type ContentCoding } from '../protocol/content-coding.ts';

export type CompressedPage = Record<ContentCoding, Uint8Array<ArrayBuffer>>;

/**
 * Renders GraphiQL and compresses it once. @fastify/compress would compress for each request, which takes 200 ms for this
 * page: anonymous clients could keep all threads of libuv's pool busy. In a thread of its own, because the package and
 * the page, 9 MB each, would stop the event loop for 150 ms and stay in its memory. Uncompressed the page is never sent.
 */
const page = Buffer.from(renderGraphiQL({ title: 'Commerce Administration', endpoint: workerData as string }));
const [br, gzip] = [compress(page, 'br'), compress(page, 'gzip')];
parentPort!.postMessage({ br, gzip } satisfies CompressedPage, [br.buffer, gzip.buffer]);
