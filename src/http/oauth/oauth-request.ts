import type { FastifyRequest } from 'fastify';
import { OAuthError } from '../../app/credentials/oauth-error.ts';

/** What a client authenticates with. */
export type ClientCredentials = { clientId: string; clientSecret: string };

const MEMBERS = ['grant_type', 'client_id', 'client_secret', 'scope', 'code', 'token'] as const;
type Member = (typeof MEMBERS)[number];

const BASIC_SCHEME = /^Basic\b/i;

/** The members of a request to an OAuth endpoint. */
export type OAuthFields = Map<Member, string>;

/**
 * Reads a form or a JSON object. A repeated member is an error. Unknown members are ignored, and those without a value
 * are as if they were left out (RFC 6749, 3.2).
 */
export function readFields(body: unknown): OAuthFields {
  const fields: OAuthFields = new Map();
  for (const [name, value] of entries(body)) {
    if (!isMember(name) || value === '' || value === null) continue;
    if (typeof value !== 'string') throw new OAuthError('invalid_request', `The member ${name} must be text.`);
    if (fields.has(name)) throw new OAuthError('invalid_request', `The member ${name} is sent twice.`);
    fields.set(name, value);
  }
  return fields;
}

function entries(body: unknown): Iterable<[string, unknown]> {
  if (body instanceof URLSearchParams) return body;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return Object.entries(body);
  throw new OAuthError('invalid_request', 'The body must be a form or a JSON object.');
}

function isMember(name: string): name is Member {
  return MEMBERS.some((member) => member === name);
}

export function requiredField(fields: OAuthFields, name: Member): string {
  const value = fields.get(name);
  if (!value) throw new OAuthError('invalid_request', `The member ${name} is missing.`);
  return value;
}

/**
 * Reads the credentials from HTTP Basic or from the body, but not from both (RFC 6749, 2.3). Beside credentials in the
 * body a header of another scheme is ignored: many HTTP clients send their expired token with each request, also when they
 * ask for a new one.
 */
export function readClientCredentials(request: FastifyRequest, fields: OAuthFields): ClientCredentials {
  const header = request.headers.authorization;
  const clientId = fields.get('client_id');
  const clientSecret = fields.get('client_secret');
  if (header === undefined || (clientSecret !== undefined && !BASIC_SCHEME.test(header))) {
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

/** The client id and the secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(header: string): ClientCredentials | null {
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
