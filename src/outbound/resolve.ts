import { lookup, NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { OutboundPolicy } from './endpoint.ts';
import { OutboundError } from './failure.ts';
import { isPublicAddress } from './public-address.ts';

const DNS_TIMEOUT_MS = 4_000;
/** Timeout of the first query. After quick answers c-ares uses a shorter one, which Node checks once a second. */
const QUERY_TIMEOUT_MS = 1_500;
/** With three, a name is found whose first lookup takes the name server two seconds: it then has the answer. */
const QUERY_TRIES = 3;
/** A resolver is used for at least this time: a name whose own servers fail looks like name servers that fail. */
const REOPEN_AFTER_MS = 1_000;
const MAX_ADDRESSES = 8;

/** All addresses of a host name, or none when it has none. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * Public names are asked for over the network, where a query has a time limit: getaddrinfo has none
 * and blocks one of the process's four threads. Only where private names are allowed does the
 * system answer, because it knows localhost, /etc/hosts and search domains.
 */
export function hostResolver(policy: OutboundPolicy, servers?: () => string[]): ResolveHost {
  if (policy.allowPrivate && servers === undefined) {
    return async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
  }
  const open = (): { resolver: Resolver; openedAtMs: number } => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, maxTimeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers !== undefined) resolver.setServers(servers());
    return { resolver, openedAtMs: performance.now() };
  };
  // One resolver for all names: it remembers which name servers have failed, and asks them last.
  let current = open();
  return async (host) => {
    const { resolver, openedAtMs } = current;
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    // A resolver knows the name servers that the machine had when it was opened.
    if (
      answers.every(isUnanswered) &&
      resolver === current.resolver &&
      performance.now() > openedAtMs + REOPEN_AFTER_MS
    )
      current = open();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Whether no name server has said that the name has these addresses, has none, or is unknown. */
function isUnanswered(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && answer.reason.code !== NOTFOUND && answer.reason.code !== NODATA;
}

/** Resolves a host once and answers with addresses that may be connected to, or throws why there are none. */
export async function allowedAddresses(
  host: string,
  resolveHost: ResolveHost,
  policy: OutboundPolicy,
): Promise<string[]> {
  const addresses = isIP(host) === 0 ? await resolveInTime(host, resolveHost) : [host];
  // One private answer among public ones is how a name is rebound: it spoils them all.
  if (!policy.allowPrivate && !addresses.every(isPublicAddress)) {
    throw new OutboundError('refused address');
  }
  return addresses.slice(0, MAX_ADDRESSES);
}

/** The lookup of a socket. What it answers is what the socket connects to: nothing resolves a second time. */
export function guardedLookup(resolveHost: ResolveHost, policy: OutboundPolicy): LookupFunction {
  return (host, options, callback) => {
    allowedAddresses(host, resolveHost, policy).then(
      (addresses) => {
        const answers = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) {
          callback(null, answers);
        } else {
          callback(null, answers[0]!.address, answers[0]!.family);
        }
      },
      (error: Error) => callback(error, ''),
    );
  };
}

async function resolveInTime(host: string, resolveHost: ResolveHost): Promise<string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new OutboundError('dns')), DNS_TIMEOUT_MS);
  try {
    const addresses = await Promise.race([resolveHost(host), late]);
    if (addresses.length > 0) {
      return addresses;
    }
  } catch {
    // What the resolver says of the name stays inside, as an unknown name and a dead server look alike.
  } finally {
    clearTimeout(timer);
  }
  throw new OutboundError('dns');
}
