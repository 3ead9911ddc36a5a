import { isIPv6 } from 'node:net';

/** The groups of an IPv6 address, and those of its network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The network of an address: an IPv4 address itself, the /64 of an IPv6 address, whose user may take any address of it. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('::');
  const first = groupsOf(start);
  const last = end === undefined ? [] : groupsOf(end);
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
