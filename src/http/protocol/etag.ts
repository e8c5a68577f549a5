import fresh from 'fresh';

/**
 * Whether If-None-Match names the entity tag. `Cache-Control: no-cache` of a request is ignored: the tag is the
 * content's hash.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': ifNoneMatch }, { etag });
}
