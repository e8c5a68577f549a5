import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** `true` for any proxy, or addresses, networks and the names that proxy-addr has for some, such as `loopback`. */
export type TrustedProxies = boolean | string[];

/** As load balancers send it: letters, digits and a few signs, so that it can stand in a log line and a header. */
const VALID_ID = /^[\w.:=+/@-]{1,128}$/;

/**
 * Returns the function that names requests: by the `X-Request-Id` of a trusted proxy, so that one id finds the lines of
 * proxy and service, or else at random. Clients cannot choose ids, since they could repeat those of others.
 */
export function requestIds(trustProxy: TrustedProxies): (request: IncomingMessage) => string {
  const isTrusted = trustFunction(trustProxy);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isUsable = typeof given === 'string' && VALID_ID.test(given);
    return isUsable && isTrusted(socket.remoteAddress ?? '') ? given : randomUUID();
  };
}

function trustFunction(trustProxy: TrustedProxies): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const trusts = proxyAddr.compile(trustProxy);
  return (address) => address !== '' && trusts(address, 0);
}
