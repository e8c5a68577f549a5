import type { Config } from '../config.ts';

/** Hosts that mean all addresses of this machine. They are no addresses of a link. */
const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** The URL before the path in links to the service: `PUBLIC_URL`, or else the host and port on which it listens. */
export function serviceAddress({ publicUrl, host, port }: Pick<Config['http'], 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = ALL_ADDRESSES.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
