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
  const isTrusted = isTrustedPeer(trustProxy);
  return (request) => {
    const given = request.headers['x-request-id'];
    const isUsable = typeof given === 'string' && VALID_ID.test(given);
    return isUsable && isTrusted(request) ? given : randomUUID();
  };
}

/** Makes the check whether a request comes from a trusted proxy. Only such requests choose request and trace ids. */
export function isTrustedPeer(trustProxy: TrustedProxies): (request: IncomingMessage) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const trusts = proxyAddr.compile(trustProxy);
  return ({ socket: { remoteAddress = '' } }) => remoteAddress !== '' && trusts(remoteAddress, 0);
}
