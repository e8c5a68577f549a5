import { tryFileLock } from '../../src/db/embedded/file-lock.ts';

/** Holds a file's lock until it is killed. */
const lock = tryFileLock(process.argv[2]!, 'exclusive');
process.stdout.write(lock ? 'held\n' : 'refused\n');
setInterval(() => lock, 1_000);
