/**
 * The site of a network (`clientNetwork`): an IPv4 address itself, or the /48 of an IPv6 /64. A /48 is the most that one customer is given,
 * and has 65,536 networks.
 */
export const toSitePrefix = (network: string): string =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
