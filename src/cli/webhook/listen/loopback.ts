import { isIPv4 } from 'node:net';

/** What `localhost` means, whatever the machine's list of hosts says (RFC 6761). */
export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'];

/**
 * Whether the host of a URL, as the URL parser writes it, is this machine: 127.0.0.0/8, ::1 or localhost. False for an
 * IPv4 address in IPv6 notation, such as ::ffff:127.0.0.1, because some programs do not treat it as this machine.
 */
export function isLoopbackHost(hostname: string): boolean {
  return (isIPv4(hostname) && hostname.startsWith('127.')) || hostname === '[::1]' || hostname === 'localhost';
}
