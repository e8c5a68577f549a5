import { constants } from 'node:crypto';
import http from 'node:http';
import type https from 'node:https';
import { DEFAULT_CIPHERS } from 'node:tls';
import { CountedAgent } from './counted-agent.ts';
import { checkEndpoint, hostOf, type OutboundPolicy } from './endpoint.ts';
import { failureOf } from './failure.ts';
import { allowedAddresses, guardedLookup, hostResolver, type ResolveHost } from './resolve.ts';

// Shorter than the idle limit of common servers (gunicorn 2 s, Node and Apache 5 s): a request on a
// connection that its server closes at the same moment is lost, and is an attempt lost.
const IDLE_SOCKET_MS = 1_500;
const ADDRESS_ATTEMPT_MS = 500;

/**
 * What a server may demand of a handshake. A Diffie-Hellman group of 10,000 bits, which a server may choose freely, blocks
 * the event loop for a second, and a server may renegotiate a connection of TLS 1.2 as often as it likes.
 */
const TLS = {
  rejectUnauthorized: true,
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** The way out: a policy with the connections that were opened under it. */
export type Outbound = {
  readonly policy: OutboundPolicy;
  readonly resolveHost: ResolveHost;
  readonly agent: { readonly http: http.Agent; readonly https: https.Agent };
  readonly close: () => void;
};

/**
 * The guard sits in the agents, so that a kept connection is never used under a laxer policy than it
 * was opened under. They queue nothing: how many requests run at once is the caller's to bound,
 * since waiting here would eat a request's time before it is sent.
 */
export function openOutbound(policy: OutboundPolicy, resolveHost: ResolveHost = hostResolver(policy)): Outbound {
  const connection = {
    keepAlive: true,
    timeout: IDLE_SOCKET_MS,
    lookup: guardedLookup(resolveHost, policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  };
  const agent = {
    http: new http.Agent(connection),
    https: new CountedAgent({ ...connection, ...TLS }),
  };
  return {
    policy,
    resolveHost,
    agent,
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

/**
 * `checkEndpoint`, and the addresses behind the name as well: for a mistake to be told when it is
 * made. A name that has no address yet passes, since every request checks again.
 */
export async function checkEndpointHost(text: string, { policy, resolveHost }: Outbound): Promise<string | null> {
  const problem = checkEndpoint(text, policy);
  if (problem !== null) {
    return problem;
  }
  try {
    await allowedAddresses(hostOf(new URL(text)), resolveHost, policy);
  } catch (error) {
    if (failureOf(error) === 'refused address') {
      return 'must not have a private, loopback, link-local or otherwise special address';
    }
  }
  return null;
}
