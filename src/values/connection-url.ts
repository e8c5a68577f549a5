const DEFAULT_PORT = 5432;
/** With these modes postgres.js does not check the certificate of the server. */
const UNCHECKED_MODES: readonly string[] = ['allow', 'prefer', 'require'];

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

/** Options for node-postgres, which reads the TLS modes of a URL in another way than postgres.js. */
export function nodePostgresOptions(url: string): {
  connectionString: string;
  ssl: boolean | { rejectUnauthorized: false };
} {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  const isSystemRoot = searchParams.get('sslrootcert') === 'system';
  const mode = isSystemRoot ? 'verify-full' : (searchParams.get('sslmode') ?? searchParams.get('ssl') ?? 'disable');
  for (const name of ['sslmode', 'ssl', 'sslrootcert']) searchParams.delete(name);
  const ssl = UNCHECKED_MODES.includes(mode)
    ? { rejectUnauthorized: false as const }
    : mode !== 'disable' && mode !== 'false';
  return { connectionString: parsed.href, ssl };
}
