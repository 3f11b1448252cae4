import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** More characters than any address has. Longer values are invalid. */
const MAX_ADDRESS_CHARS = 64

/**
 * The client as limits count it: its IPv4 address or IPv6 /64, since one connection is given a whole /64 of addresses. Behind the
 * operator's proxy (TRUST_PROXY) it is the last entry of X-Forwarded-For, which the proxy wrote itself; earlier entries come from
 * the client and prove nothing.
 */
export function clientNetwork(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? lastForwarded(String(req.headers['x-forwarded-for'] ?? '')) : ''
  return networkOf(forwarded || req.socket.remoteAddress || 'unknown')
}

/** A copy: a slice of a string keeps the whole header in memory for as long as a limit remembers the slice. */
function lastForwarded(header: string): string {
  const last = header.slice(header.lastIndexOf(',') + 1).trim()
  return last.length > MAX_ADDRESS_CHARS ? '' : Buffer.from(last, 'latin1').toString('latin1')
}

/** The network of an address: the address itself, or for IPv6 its /64. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [address = ''] = ip.split('%')
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const gap = right ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  const network = [...left, ...gap, ...(right ?? [])].slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  // Loopback, and IPv4-mapped IPv6 addresses.
  return network.every((group) => group === '0') ? ip : `${network.join(':')}::/64`
}
