export const S3_OPTIONS: ReadonlySet<string> = new Set(['region', 'endpoint', 'forcePathStyle']);

/** The URL for messages. Secrets may be in its user, in that of its endpoint, and in options that the service refuses. */
export function withoutSecrets(storageUrl: string): string {
  const options = [...new URL(storageUrl).searchParams]
    .filter(([name]) => S3_OPTIONS.has(name))
    .map(([name, value]) => `${name}=${name === 'endpoint' ? location(value) : value}`);
  return location(storageUrl) + (options.length > 0 ? `?${options.join('&')}` : '');
}

function location(text: string): string {
  if (!URL.canParse(text)) return '…';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname.replace(/^\/$/, '')}`;
}
