import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** More than any address has: longer is none. */
const MAX_ADDRESS_CHARS = 64

/**
 * Who is calling, as limits count callers: an address, of IPv6 its /64, since that is what one connection is given: who
 * has it has 2^64 addresses. Behind a proxy of the operator's (TRUST_PROXY) the last entry of X-Forwarded-For is the one the
 * proxy wrote itself; what stands before it came from the client and proves nothing.
 */
export function clientIp(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? lastForwarded(String(req.headers['x-forwarded-for'] ?? '')) : ''
  return networkOf(forwarded || req.socket.remoteAddress || 'unknown')
}

/** A copy: a part of a string keeps the whole header in memory for as long as a limit remembers the part. */
function lastForwarded(header: string): string {
  const last = header.slice(header.lastIndexOf(',') + 1).trim()
  return last.length > MAX_ADDRESS_CHARS ? '' : Buffer.from(last, 'latin1').toString('latin1')
}

/** An address as limits count it: of IPv6 its /64. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [left, right] = ip
    .split('%')[0]!
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const gap = right ? Array.from({ length: Math.max(0, 8 - left!.length - right.length) }, () => '0') : []
  const network = [...left!, ...gap, ...(right ?? [])].slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  // The device itself, and IPv4 in the clothes of IPv6.
  return network.every((group) => group === '0') ? ip : `${network.join(':')}::/64`
}
