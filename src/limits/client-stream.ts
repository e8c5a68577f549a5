import type { EventEmitter } from 'node:events';

/** A response or a socket. Emits `close` when the response is sent, or when the client disconnects. */
export type ClientStream = Pick<EventEmitter, 'once' | 'off'> & { readonly destroyed?: boolean };
