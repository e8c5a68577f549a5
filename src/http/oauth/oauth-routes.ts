import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../../app/credentials/oauth-error.ts';
import { applyError, toPublicError } from '../protocol/problem.ts';
import { type ClientCredentials, readClientCredentials, readFields, requiredField } from './oauth-request.ts';

/** Several times the size of credentials with all scopes. Anybody may send a body to these routes. */
const MAX_BODY_BYTES = 16 * 1024;

export type IssueToken = (
  request: ClientCredentials & { scope?: string },
) => Promise<{ accessToken: string; expiresInS: number; scopes: readonly string[] }>;
export type RevokeToken = (request: ClientCredentials & { token: string }) => Promise<void>;

export type OAuthDependencies = { issueToken: IssueToken; revokeToken: RevokeToken; rateLimitPerMinute: number };

/** Issues tokens with the client credentials grant (RFC 6749), and revokes them (RFC 7009). */
export function oauthRoutes(
  app: FastifyInstance,
  { issueToken, revokeToken }: Pick<OAuthDependencies, 'issueToken' | 'revokeToken'>,
): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.addHook('onRequest', async (_, reply) => void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }));
  app.setErrorHandler(sendOAuthError);

  app.post('/api/admin/oauth/token', { bodyLimit: MAX_BODY_BYTES }, async (request) => {
    const fields = readFields(request.body);
    const grant = requiredField(fields, 'grant_type');
    if (grant !== 'client_credentials')
      throw new OAuthError('unsupported_grant_type', 'The grant type must be client_credentials.');
    const scope = fields.get('scope');
    const issued = await issueToken({
      ...readClientCredentials(request, fields),
      ...(scope !== undefined && { scope }),
    });
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: issued.expiresInS,
      scope: issued.scopes.join(','),
    };
  });

  app.post('/api/admin/oauth/revoke', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const fields = readFields(request.body);
    const client = readClientCredentials(request, fields);
    await revokeToken({ ...client, token: requiredField(fields, 'token') });
    return await reply.send();
  });
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
