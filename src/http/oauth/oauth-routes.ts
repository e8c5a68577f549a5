import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../../app/credentials/oauth-error.ts';
import { refuseOtherMethods } from '../protocol/other-methods.ts';
import { applyError, toPublicError } from '../protocol/problem.ts';
import { type ClientCredentials, readClientCredentials, readFields, requiredField } from './oauth-request.ts';

/** Several times the size of credentials with all scopes. Anybody may send a body to these routes. */
const MAX_BODY_BYTES = 16 * 1024;
const TOKEN_PATH = '/api/admin/oauth/token';
const REVOCATION_PATH = '/api/admin/oauth/revoke';

type IssuedToken = { accessToken: string; expiresInS: number; scopes: readonly string[] };

export type OAuthDependencies = {
  issueToken: (request: ClientCredentials & { scope?: string }) => Promise<IssuedToken>;
  exchangeSignInCode: (code: string) => Promise<IssuedToken>;
  revokeToken: (request: ClientCredentials & { token: string }) => Promise<void>;
  rateLimitPerMinute: number;
};

/**
 * Issues tokens for client credentials or for a one-time code (RFC 6749), and revokes them (RFC 7009). A code belongs
 * to one app, so that a request with a code needs no `client_id`.
 */
export function oauthRoutes(
  app: FastifyInstance,
  { issueToken, exchangeSignInCode, revokeToken }: Omit<OAuthDependencies, 'rateLimitPerMinute'>,
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (_, reply) => void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }));
  app.setErrorHandler(sendOAuthError);

  for (const path of [TOKEN_PATH, REVOCATION_PATH])
    refuseOtherMethods(app, path, { allowed: ['POST'], message: 'Send the request with POST.' });

  app.post(TOKEN_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request) => {
    const fields = readFields(request.body);
    const grant = requiredField(fields, 'grant_type');
    if (grant === 'authorization_code') return tokenResponse(await exchangeSignInCode(requiredField(fields, 'code')));
    if (grant !== 'client_credentials')
      throw new OAuthError(
        'unsupported_grant_type',
        'The grant type must be client_credentials or authorization_code.',
      );
    const scope = fields.get('scope');
    const client = readClientCredentials(request, fields);
    return tokenResponse(await issueToken({ ...client, ...(scope !== undefined && { scope }) }));
  });

  app.post(REVOCATION_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const fields = readFields(request.body);
    const client = readClientCredentials(request, fields);
    await revokeToken({ ...client, token: requiredField(fields, 'token') });
    return await reply.send();
  });
}

function tokenResponse({ accessToken, expiresInS, scopes }: IssuedToken) {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInS, scope: scopes.join(',') };
}

/** Error responses of RFC 6749, 5.2. Other errors get the code that fits their status. */
function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) {
    if (error.code === 'invalid_client')
      reply.code(401).header('www-authenticate', 'Basic realm="oauth", charset="UTF-8"');
    else reply.code(400);
    return reply.send({ error: error.code, error_description: error.message });
  }
  const publicError = toPublicError(error, request);
  applyError(reply, publicError);
  const isServerError = reply.statusCode >= 500;
  return reply.send({
    error: isServerError ? 'server_error' : 'invalid_request',
    error_description: withoutQuotes(publicError.message),
    ...publicError.extensions,
  });
}

/** `error_description` may contain neither quotes nor backslashes (RFC 6749, 5.2). */
function withoutQuotes(text: string): string {
  return text.replace(/["\\]/g, "'");
}
