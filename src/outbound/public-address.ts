import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

// Public by number, but answered by the cloud's own host: Azure's metadata and key agent.
const AZURE_HOST_AGENT = '168.63.129.16';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NOT_FOR_HOSTS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/**
 * Whether a host on the internet may own this address. False for every special range, for IPv6 that
 * carries IPv4 in any form, and for a text that is not an address in its plain notation.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads octal, hexadecimal and short forms, and a zone only names a local link.
  if (isIP(address) === 0 || address.includes('%')) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  return parsed.kind() === 'ipv4' ? isPublicIPv4(parsed as IPv4) : isPublicIPv6(parsed as IPv6);
}

function isPublicIPv4(address: IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST_AGENT;
}

// Only 2000::/3 is given out to hosts. What lies outside (::/8 with all embedded IPv4, NAT64, unique
// local, link-local, multicast) is refused without being listed.
function isPublicIPv6(address: IPv6): boolean {
  return (
    address.match(GLOBAL_UNICAST) &&
    address.range() === 'unicast' &&
    !NOT_FOR_HOSTS.some((range) => address.match(range)) &&
    !isIsatap(address)
  );
}

// RFC 5214: the interface identifier 0000:5efe or 0200:5efe carries an IPv4 address under any prefix.
function isIsatap({ parts }: IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}
