import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../../app/oauth-error.ts';
import { applyError, told } from '../protocol/problem.ts';

/** Several times what a client's name, its secret and all scopes take. Anybody may send a body here. */
const BODY_LIMIT_BYTES = 16 * 1024;

type Client = { clientId: string; clientSecret: string };

export type IssueToken = (
  request: Client & { scope?: string },
) => Promise<{ accessToken: string; expiresInS: number; scopes: readonly string[] }>;
export type RevokeToken = (request: Client & { token: string }) => Promise<void>;

export type OAuth = { issueToken: IssueToken; revokeToken: RevokeToken; rateLimitPerMinute: number };

/** RFC 6749 with the client credentials grant, and RFC 7009. */
export function oauthRoutes(
  app: FastifyInstance,
  { issueToken, revokeToken }: Pick<OAuth, 'issueToken' | 'revokeToken'>,
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (_, reply) => void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }));
  app.setErrorHandler(sendOAuthError);

  app.post('/api/admin/oauth/token', { bodyLimit: BODY_LIMIT_BYTES }, async (request) => {
    const fields = readFields(request.body);
    const grant = required(fields, 'grant_type');
    if (grant !== 'client_credentials')
      throw new OAuthError('unsupported_grant_type', 'The grant type must be client_credentials.');
    const scope = fields.get('scope');
    const issued = await issueToken({ ...readClient(request, fields), ...(scope !== undefined && { scope }) });
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresInS,
      scope: issued.scopes.join(','),
    };
  });

  app.post('/api/admin/oauth/revoke', { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    const fields = readFields(request.body);
    const client = readClient(request, fields);
    await revokeToken({ ...client, token: required(fields, 'token') });
    return await reply.send();
  });
}

type Fields = Map<string, string>;

/** The members of the body, a form or a JSON object. One that is sent twice is an error (RFC 6749, 3.2). */
function readFields(body: unknown): Fields {
  const fields: Fields = new Map();
  for (const [name, value] of entries(body)) {
    if (typeof value !== 'string') throw new OAuthError('invalid_request', `The member ${name} must be text.`);
    if (fields.has(name)) throw new OAuthError('invalid_request', `The member ${name} is sent twice.`);
    fields.set(name, value);
  }
  return fields;
}

function entries(body: unknown): Iterable<[string, unknown]> {
  if (body instanceof URLSearchParams) return body;
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return Object.entries(body).filter(([, value]) => value !== null);
  throw new OAuthError('invalid_request', 'The body must be a form or a JSON object.');
}

function required(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (!value) throw new OAuthError('invalid_request', `The member ${name} is missing.`);
  return value;
}

/** The client by HTTP Basic or by the body, and not by both (RFC 6749, 2.3). */
function readClient(request: FastifyRequest, fields: Fields): Client {
  const header = request.headers.authorization;
  const clientId = fields.get('client_id');
  const clientSecret = fields.get('client_secret');
  if (header === undefined) {
    if (!clientId || !clientSecret)
      throw new OAuthError('invalid_client', 'The client must name itself with client_id and client_secret.');
    return { clientId, clientSecret };
  }
  if (clientSecret !== undefined)
    throw new OAuthError('invalid_request', 'The client must name itself once, in the header or in the body.');
  const client = readBasic(header);
  if (!client)
    throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic with a client and its secret.');
  if (clientId !== undefined && clientId !== client.clientId)
    throw new OAuthError('invalid_request', 'Header and body name two clients.');
  return client;
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(header: string): Client | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  const text = encoded ? Buffer.from(encoded, 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  try {
    return { clientId: formDecoded(text.slice(0, colon)), clientSecret: formDecoded(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** RFC 6749, 5.2. What is not of its words is told by its status. */
function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) {
    if (error.code === 'invalid_client')
      reply.code(401).header('www-authenticate', 'Basic realm="oauth", charset="UTF-8"');
    else reply.code(400);
    return reply.send({ error: error.code, error_description: error.message });
  }
  const answer = told(error, request);
  applyError(reply, answer);
  const isServers = reply.statusCode >= 500;
  return reply.send({
    error: isServers ? 'server_error' : 'invalid_request',
    error_description: quotable(answer.message),
    ...answer.extensions,
  });
}

/** A description may have neither of these (RFC 6749, 5.2). */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "'");
}
