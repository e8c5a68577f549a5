import { createHash } from 'node:crypto';
import fresh from 'fresh';

const HASH_LENGTH = 18;

/** The entity tag of a content: its hash. */
export function contentEtag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_LENGTH)}"`;
}

/**
 * Whether If-None-Match names the entity tag. `Cache-Control: no-cache` of a request is ignored: the tag is the
 * content's hash.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': ifNoneMatch }, { etag });
}
