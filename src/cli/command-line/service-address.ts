import { InvalidArgumentError } from 'commander';
import type { Config } from '../../config.ts';

/** Hosts that mean all addresses of this machine. They are no addresses of a link. */
const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** The URL before the path in links to the service: `PUBLIC_URL`, or else the host and port on which it listens. */
export function serviceAddress({ publicUrl, host, port }: Pick<Config['http'], 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = ALL_ADDRESSES.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The address of the service that has the configuration of this command. */
export async function ownAddress(): Promise<string> {
  const { loadConfig } = await import('../../config.ts');
  return serviceAddress(loadConfig().http);
}

/** The value of an option. A query or fragment would stand before the path that is appended. */
export function parseAddress(text: string): string {
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must begin with http:// or https://, and have neither ? nor #.');
  return text.replace(/\/+$/, '');
}
