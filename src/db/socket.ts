import { createConnection, type Socket } from 'node:net';

const LOOKED_AT_EVERY_MS = 500;
/** Asks the other end's machine whether it is still there; ten times, a second apart, before it gives up. */
export const KEEP_ALIVE_AFTER_S = 4;

/** Where the driver wants to connect to. */
type Target = { host: string[]; port: number[]; path?: string | false };

/**
 * Opens sockets that notice when the network is gone without a word. One that is silent is asked for by
 * the system; one that was written to and does not answer is given up here, because what was written is
 * sent again for a quarter of an hour before the system gives up.
 */
export function watchedSockets(answersWithinMs: number): (target: Target) => Socket {
  let opened = 0;
  return ({ host, port, path }) => {
    const place = opened++ % host.length;
    const to = path ? { path } : { host: host[place]!, port: port[place]! };
    const socket = createConnection({ ...to, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_S * 1_000 });
    watch(socket, answersWithinMs);
    // The driver checks a certificate against this name.
    return Object.assign(socket, { host: host[place], port: port[place] });
  };
}

/**
 * Below TLS nobody sees what is written: there the counters tell, and a question put in the same moment as
 * another was answered is told from it by the next one only.
 */
function watch(socket: Socket, answersWithinMs: number): void {
  let asked: { atMs: number; read: number } | null = null;
  let seen = { read: 0, written: 0 };
  // What was asked first since the last answer tells how long it is silent: a busy connection is asked again with each answer.
  const ask = (): void => {
    if (asked?.read !== socket.bytesRead) asked = { atMs: performance.now(), read: socket.bytesRead };
  };
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = (...given: unknown[]) => {
    ask();
    return write(...given);
  };
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer);
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    if (asked && now.read > asked.read) asked = null;
    else if (now.read === seen.read && now.written !== seen.written) ask();
    seen = now;
    if (asked && performance.now() - asked.atMs > answersWithinMs) socket.destroy(Object.assign(new Error('Postgres did not answer.'), { code: 'ETIMEDOUT' }));
  }, LOOKED_AT_EVERY_MS).unref();
}
