import { isIP } from 'node:net';
import { isLonger } from '../values/text.ts';
import { isPublicAddress } from './public-address.ts';

const MAX_LENGTH = 2_048;

// Names that by RFC 6761, 6762, 8375 and by custom mean this machine or its own network.
const LOCAL_DOMAINS = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home.arpa'];

// The Fetch standard's list: services that take an HTTP request for commands of their own.
const FETCH_BAD_PORTS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

// SMB, Docker, MySQL, RDP, PostgreSQL, AMQP, VNC, Redis, kubelet, Elasticsearch, memcached, MongoDB.
const DATA_PORTS = [445, 2375, 2376, 3306, 3389, 5432, 5672, 5900, 6379, 10250, 9200, 9300, 11211, 27017];

const REFUSED_PORTS: ReadonlySet<number> = new Set([...FETCH_BAD_PORTS, ...DATA_PORTS]);

/** What a deployment allows beyond https to public addresses; both are for development. */
export type OutboundPolicy = { readonly allowHttp: boolean; readonly allowPrivate: boolean };

/** Null when a request may be made to this URL as far as its text tells, otherwise what is wrong with it. */
export function checkEndpoint(text: string, policy: OutboundPolicy): string | null {
  return checkText(text, policy) ?? checkUrl(new URL(text), policy);
}

/** The host as `net` takes it: an IPv6 literal without its brackets, a name without its final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

// The URL parser forgives tabs, backslashes, a missing slash and an empty user name, so that two
// readers may see two hosts in one text. Such a text is refused before it is parsed.
function checkText(text: string, policy: OutboundPolicy): string | null {
  if (isLonger(text, MAX_LENGTH)) {
    return `must be at most ${MAX_LENGTH} characters long`;
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\s\\\u0000-\u001f\u007f]/.test(text)) {
    return 'must not contain spaces, control characters or backslashes';
  }
  const authority = /^(https?):\/\/([^/?#]+)/i.exec(text);
  if (authority === null || (!policy.allowHttp && authority[1]!.toLowerCase() !== 'https')) {
    return policy.allowHttp ? 'must start with https:// or http://' : 'must start with https://';
  }
  if (authority[2]!.includes('@')) {
    return 'must not contain a user name or a password';
  }
  if (text.includes('#')) {
    return 'must not contain a fragment';
  }
  return URL.canParse(text) ? null : 'must be a valid URL';
}

function checkUrl(url: URL, policy: OutboundPolicy): string | null {
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port))) {
    return `must not use the port ${url.port}`;
  }
  if (policy.allowPrivate || isPublicHost(hostOf(url))) {
    return null;
  }
  return 'must not point to a private, loopback, link-local or otherwise special address';
}

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) {
    return isPublicAddress(host);
  }
  const isLocal = LOCAL_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return host.includes('.') && !isLocal;
}
