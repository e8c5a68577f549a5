import { isMainThread } from 'node:worker_threads';

/** Loaded before the service: SIGUSR2 blocks its event loop forever. */
if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (;;);
  });
}
