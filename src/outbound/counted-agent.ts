import https from 'node:https';
import net from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { OutboundError } from './failure.ts';

/** What a server may send until the handshake has ended. Usual chains of certificates have 3 to 8 kB. */
const MAX_HANDSHAKE_BYTES = 32 * 1024;
/** What may be under way, or no data, after the handshake; and the share of the data that the frames of TLS may take. */
const MAX_OTHER_BYTES = 128 * 1024;
const FRAME_SHARE = 1 / 4;

/**
 * Limits what servers send that is no data. OpenSSL computes the signatures and compares the names of a chain of up to
 * 100 kB that is not trusted, for 1.2 s, and answers any number of messages such as tickets of sessions, for a second a
 * megabyte. Node has no limit for either.
 */
export class CountedAgent extends https.Agent {
  override createConnection(
    options: https.AgentOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const raw = net.connect(options as net.NetConnectOpts);
    const transport = new CountedSocket(raw);
    const socket = super.createConnection(
      { ...options, socket: transport } as https.AgentOptions,
      callback,
    ) as TLSSocket;
    transport.socket = socket;
    passOn(raw, socket);
    return socket;
  }
}

/** The time limits of got begin and end with these events. Node passes them on only from sockets of its own. */
function passOn(raw: net.Socket, socket: TLSSocket): void {
  Object.assign(socket, { connecting: raw.connecting });
  raw.on('lookup', (...values) => socket.emit('lookup', ...values));
  raw.once('connect', () => {
    Object.assign(socket, { connecting: false });
    socket.emit('connect');
  });
}

/** A connection whose bytes are counted before TLS reads them. */
class CountedSocket extends Duplex {
  readonly #raw: net.Socket;
  #received = 0;
  #isSecure = false;
  #socket: TLSSocket | null = null;

  constructor(raw: net.Socket) {
    super({ allowHalfOpen: false });
    this.#raw = raw;
    raw.on('data', (chunk: Buffer) => this.#receive(chunk));
    raw.on('end', () => this.push(null));
    raw.on('error', (error) => this.destroy(error)).on('close', () => this.destroy());
  }

  /** The connection with TLS, whose data does not count. */
  set socket(socket: TLSSocket) {
    this.#socket = socket;
    socket.once('secureConnect', () => (this.#isSecure = true));
  }

  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#maxReceived()) (this.#socket ?? this).destroy(new OutboundError('too large'));
    else if (!this.push(chunk)) this.#raw.pause();
  }

  #maxReceived(): number {
    if (!this.#isSecure) return MAX_HANDSHAKE_BYTES;
    return MAX_OTHER_BYTES + (this.#socket?.bytesRead ?? 0) * (1 + FRAME_SHARE);
  }

  override _read(): void {
    this.#raw.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#raw.write(chunk, encoding, callback);
  }

  override _final(callback: () => void): void {
    this.#raw.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#raw.destroy();
    callback(error);
  }
}
