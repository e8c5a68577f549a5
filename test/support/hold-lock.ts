import { tryFileLock } from '../../src/db/embedded/file-lock.ts';

/** A program that holds the lock of a file until it is killed. */
const lock = tryFileLock(process.argv[2]!, 'exclusive');
process.stdout.write(lock ? 'held\n' : 'refused\n');
setInterval(() => lock, 1_000);
