import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';

type Case = { name: string; introspection: 'public' | 'token'; token: string | null };

const cases: Case[] = [
  { name: 'with a token', introspection: 'public', token: 'full' },
  { name: 'without a token, where anybody may ask about the schema', introspection: 'public', token: null },
  { name: 'with a token, where only callers may ask about the schema', introspection: 'token', token: 'full' },
];

describe.each(cases)('GraphQL over HTTP, $name', ({ introspection, token }) => {
  let server: TestServer;
  beforeAll(async () => void (server = await startServer({ introspection })));
  afterAll(() => server.drain());

  const audits = serverAudits({
    url: () => server.graphqlUrl,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) },
      }),
  });

  it('passes all 61 audits', () => expect(audits).toHaveLength(61));

  it.each(audits)('$id $name', async (audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });
});
