import { Writable } from 'node:stream';
import { pino } from 'pino';
import { OAuthError } from '../../src/app/credentials/oauth-error.ts';
import type { Session } from '../../src/context.ts';
import { createServer, type Server, type ServerDependencies } from '../../src/http/server/server.ts';
import { webhook } from './context.ts';
import { session, type SmallSchema, smallSchema } from './small-schema.ts';

export type TestServer = Server &
  SmallSchema & { url: string; graphqlUrl: string; lines: Record<string, unknown>[]; sessions: Map<string, Session> };

const limits = { max: 8, maxPerMerchant: 7, maxWaiting: 100, maxWaitMs: 10_000 };

/** Starts a server on a free port with the small schema, sessions in memory, and log lines as objects. */
export async function startServer(parts: Partial<ServerDependencies> = {}, host = '127.0.0.1'): Promise<TestServer> {
  const small = smallSchema();
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => (lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>), done()),
  });
  const sessions = new Map([
    ['full', session()],
    ['reader', session(['read_products'])],
    ['writer', session(['write_products'])],
    ['customers', session(['write_customers'])],
  ]);
  const server = await createServer({
    schema: small.schema,
    sdl: [],
    db: {} as ServerDependencies['db'],
    longWritesDb: parts.db ?? ({} as ServerDependencies['db']),
    webhook,
    introspection: 'public',
    findSession: async (token) => sessions.get(token) ?? null,
    oauth: { issueToken, exchangeSignInCode, revokeToken, rateLimitPerMinute: 0 },
    checks: {},
    log: pino({ level: 'info' }, destination),
    rateLimitPerMinute: 0,
    trustProxy: false,
    executionLimits: { standard: limits, longWrites: limits, outbound: limits },
    ...parts,
  });
  const url = await server.listen({ host, port: 0 });
  return { ...server, ...small, url, graphqlUrl: `${url}/api/v1/admin/graphql`, lines, sessions };
}

async function issueToken({
  clientId,
  clientSecret,
  scope,
}: {
  clientId: string;
  clientSecret: string;
  scope?: string;
}) {
  checkClient(clientId, clientSecret);
  if (scope?.includes('unknown')) throw new OAuthError('invalid_scope', 'A requested scope is unknown.');
  return {
    accessToken: 'issued',
    expiresInS: 14_400,
    scopes: scope ? scope.split(/[ ,]/) : ['read_products', 'write_products'],
  };
}

async function exchangeSignInCode(code: string) {
  if (code !== 'c0de') throw new OAuthError('invalid_grant', 'The code is unknown.');
  return { accessToken: 'exchanged', expiresInS: 14_400, scopes: ['read_products'] };
}

async function revokeToken({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<void> {
  checkClient(clientId, clientSecret);
}

function checkClient(clientId: string, clientSecret: string): void {
  if (clientId !== 'client' || clientSecret !== 's3cret+ /é')
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.');
}
