import { isMainThread } from 'node:worker_threads';

/** To be imported before the service's own files: SIGUSR2 blocks its event loop for good. */
if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (;;);
  });
}
