import { BlockList, isIPv4, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** What `localhost` means, whatever the machine's list of hosts says (RFC 6761). */
export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'];

/** Whether the host of a URL, as the URL parser writes it, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host)) return LOOPBACK.check(host, 'ipv4');
  // Not `check` for IPv6 that carries IPv4: it would pass ::ffff:127.0.0.1, which other readers of a URL may not know.
  if (isIPv6(host)) return host === '::1';
  return host === 'localhost';
}
