import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Names of networks in proxy-addr. */
const NETWORKS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether a text is an address or network that proxy-addr can compile, written in full: it would read `1` as 0.0.0.1. */
export function isProxyAddress(text: string): boolean {
  if (NETWORKS.includes(text)) return true;
  if (isIP(text.split('/')[0]!) === 0) return false;
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    return false;
  }
}
