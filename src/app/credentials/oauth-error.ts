/** Error codes of the token endpoints, from RFC 6749 (5.2) and RFC 7009. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** The token endpoints have their own error codes, besides those of the API. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  override readonly name = 'OAuthError';

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
