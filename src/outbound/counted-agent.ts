import type { ClientRequest } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { OutboundError } from './failure.ts';

/** Most bytes of a handshake. Usual certificate chains have 3 to 8 kB. */
const MAX_HANDSHAKE_BYTES = 32 * 1024;
/**
 * Most bytes of a response beside the data: a fixed number, which includes data that TLS has not yet read, and a share of
 * the data for the headers of TLS records.
 */
const MAX_OTHER_BYTES = 128 * 1024;
const FRAME_SHARE = 1 / 4;

/**
 * Limits the bytes that a server sends beside the data of its response. OpenSSL verifies a certificate chain of up to 100 kB
 * before it finds that the chain is not trusted, which can take 1.2 s, and it processes any number of session tickets and
 * key updates, which take about a second of processor time for each megabyte. Node limits neither.
 */
export class CountedAgent extends https.Agent {
  readonly #transports = new WeakMap<Duplex, CountedSocket>();

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
    this.#transports.set(socket, transport);
    passOn(raw, socket);
    return socket;
  }

  /** Each request on a connection is allowed as many bytes as the first one. A server cannot make us send requests. */
  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#transports.get(socket)?.countAnew();
    super.reuseSocket(socket, request);
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

/** The TCP connection under a TLS socket. Counts the bytes from the server before it passes them on to TLS. */
class CountedSocket extends Duplex {
  readonly #raw: net.Socket;
  #received = 0;
  /** The data of former responses. */
  #formerData = 0;
  #isSecure = false;
  #socket: TLSSocket | null = null;

  constructor(raw: net.Socket) {
    super({ allowHalfOpen: false });
    this.#raw = raw;
    raw.on('data', (chunk: Buffer) => this.#receive(chunk));
    raw.on('end', () => this.push(null));
    raw.on('error', (error) => this.destroy(error)).on('close', () => this.destroy());
  }

  /** The TLS socket on this connection. The limit grows with the data that it has decrypted. */
  set socket(socket: TLSSocket) {
    this.#socket = socket;
    socket.once('secureConnect', () => (this.#isSecure = true));
  }

  countAnew(): void {
    this.#received = 0;
    this.#formerData = this.#socket?.bytesRead ?? 0;
  }

  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#maxReceived()) (this.#socket ?? this).destroy(new OutboundError('too large'));
    else if (!this.push(chunk)) this.#raw.pause();
  }

  #maxReceived(): number {
    if (!this.#isSecure) return MAX_HANDSHAKE_BYTES;
    return MAX_OTHER_BYTES + ((this.#socket?.bytesRead ?? 0) - this.#formerData) * (1 + FRAME_SHARE);
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
