import { fileURLToPath } from 'node:url';

/** Whether it is a URL with one of the protocols, such as `https:`. */
export function hasProtocol(text: string, protocols: readonly string[]): boolean {
  // `new URL` also reads `http:shop.example`, as http://shop.example.
  return URL.canParse(text) && protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`));
}

/** Whether paths can be added to a URL, and others may see it: it has a host, and no user, query, fragment or blank. */
export function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@]+(\/[^?#\s]*)?$/i.test(text);
}

/** Whether a URL has a user name or a password, also one that only some readers take for a URL. */
export function namesUser(text: string): boolean {
  return /^\s*\w+:[\\/]*[^\\/?#]*@/.test(text);
}

/** For logs. */
export function withoutUser(url: string): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href;
}

/**
 * A password with `/`, `?`, `#` or `%` that is not percent-encoded ends the host of the URL early: its rest would be shown
 * as the name of a host or a database.
 */
export function hasEncodedPassword(databaseUrl: string): boolean {
  const { username, password, pathname, search, hash } = new URL(databaseUrl);
  return (
    !`${pathname}${search}${hash}`.includes('@') &&
    [username, password, pathname].every((part) => !/%(?![0-9a-f]{2})/i.test(part))
  );
}

/**
 * Whether the URL of a file has an absolute path that this system can have, and any other URL a host without credentials
 * and port. All options must be known, and have a value that can be used. Nothing uses a fragment, or options of a file.
 */
export function isStorageUrl(text: string): boolean {
  const url = new URL(text);
  if (url.hash !== '' || ![...url.searchParams].every(isStorageOption)) return false;
  if (url.protocol !== 'file:') return url.hostname !== '' && url.username + url.password + url.port === '';
  try {
    fileURLToPath(url);
    return url.search === '';
  } catch {
    return false;
  }
}

function isStorageOption([name, value]: [string, string]): boolean {
  if (name === 'endpoint') return hasProtocol(value, ['http:', 'https:']) && isBaseUrl(value);
  if (name === 'forcePathStyle') return value === 'true' || value === 'false';
  return name === 'region' && value !== '';
}
