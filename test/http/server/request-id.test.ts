import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';

const RANDOM_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

const servers: TestServer[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.drain()))));

describe('the X-Request-Id of a request', () => {
  it.each([[true], [['127.0.0.1']], [['10.0.0.0/8', 'loopback']]])(
    'is taken from a trusted proxy (%j), for the answer and the log',
    async (trustProxy) => {
      const server = await start(trustProxy);
      expect(await idOf(server, 'lb-1:4711/abc')).toBe('lb-1:4711/abc');
      expect(server.lines.at(-1)).toMatchObject({ msg: 'request', requestId: 'lb-1:4711/abc' });
    },
  );

  it.each([[false], [['10.0.0.1']], [['192.168.0.0/16']]])('is not taken from others (%j)', async (trustProxy) => {
    expect(await idOf(await start(trustProxy), 'forged')).toMatch(RANDOM_ID);
  });

  it.each([['with space'], ['"quoted"'], ['x'.repeat(129)], ['{"level":60}']])(
    'is replaced if it has other characters than an id, or too many: %s',
    async (id) => {
      expect(await idOf(await start(true), id)).toMatch(RANDOM_ID);
    },
  );
});

async function start(trustProxy: boolean | string[]): Promise<TestServer> {
  const server = await startServer({ trustProxy });
  servers.push(server);
  return server;
}

async function idOf(server: TestServer, id: string): Promise<string | null> {
  return (await fetch(`${server.url}/nowhere`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
}
