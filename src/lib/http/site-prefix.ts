/**
 * The site that a network as limits count it belongs to (`clientIp`): of an IPv6 /64 its /48, the most that one customer is
 * given. Who has it has 65,536 of what limits take for a network.
 */
export const toSitePrefix = (network: string): string =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
