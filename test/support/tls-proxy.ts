import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { TestContext } from 'vitest';
import { type Certificate, makeAuthority } from '../outbound/certificate.ts';

/** TLS in front of the PostgreSQL of the tests, which has none. By default no client trusts the issuer of its certificate. */
export async function openTlsProxy(
  test: TestContext,
  databaseUrl: string,
  mode = 'require',
  { cert, key }: Certificate = makeAuthority(),
) {
  const { hostname, port } = new URL(databaseUrl);
  const open = new Set<Socket>();
  const counts = { served: 0, refused: 0 };
  let refusesNext = false;
  const server = createServer((near) => {
    near
      .on('error', () => undefined)
      .once('data', () => {
        if (refusesNext) {
          refusesNext = false;
          counts.refused += 1;
          return void near.destroy();
        }
        near.write('S');
        const secure = new TLSSocket(near, { isServer: true, cert, key });
        const far = createConnection(Number(port), hostname);
        for (const socket of [secure, far]) open.add(socket.on('error', () => undefined));
        secure.on('close', () => far.destroy()).pipe(far);
        far.on('close', () => secure.destroy()).pipe(secure);
        far.once('connect', () => (counts.served += 1));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.searchParams.set('sslmode', mode);
  return {
    url: url.href,
    refuseNext: () => (refusesNext = true),
    refused: () => counts.refused,
    /** Connections to the server so far. */
    served: () => counts.served,
    /** Open connections pass on no more bytes. */
    silence: () => open.forEach((socket) => socket.unpipe()),
  };
}
