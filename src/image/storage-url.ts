/** The URL for messages. Secrets may be in its user, and in that of its endpoint. */
export function withoutSecrets(storageUrl: string): string {
  const options = [...new URL(storageUrl).searchParams].map(
    ([name, value]) => `${name}=${name === 'endpoint' ? location(value) : value}`,
  );
  return location(storageUrl) + (options.length > 0 ? `?${options.join('&')}` : '');
}

function location(text: string): string {
  if (!URL.canParse(text)) return '…';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname.replace(/^\/$/, '')}`;
}
