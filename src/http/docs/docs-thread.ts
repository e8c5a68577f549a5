import { parentPort, workerData } from 'node:worker_threads';
import { makeDocuments } from './documents.ts';
import type { PagesOptions } from './pages.ts';

/**
 * Renders all pages, at the first request. This is a worker thread, because it takes some hundred milliseconds, and the
 * renderer and a second copy of the schema would stay in the heap of the process.
 */
parentPort!.postMessage(makeDocuments(workerData as PagesOptions));
