const DEFAULT_PORT = 5432;

/** The address of the server, with an IPv6 address without its brackets. */
export function hostAndPort(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname.replace(/^\[|\]$/g, '') || 'localhost', Number(port || DEFAULT_PORT)];
}

/**
 * Options for postgres.js. It cuts the host of a URL at its first colon, and leaves those in a list as they are. Its types do
 * not have the list.
 */
export function addressOptions(url: string): object {
  if (!URL.parse(url)?.hostname.startsWith('[')) return {};
  const [host, port] = hostAndPort(url);
  return { host: [host], port: [port] };
}
