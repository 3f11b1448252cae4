import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/** More characters than any address has. Longer values are invalid. */
const MAX_ADDRESS_CHARS = 64

/**
 * The client as limits count it: its IPv4 address or IPv6 /64, since one connection is given a whole /64 of addresses. Behind the
 * operator's proxy (TRUST_PROXY) it is the last entry of X-Forwarded-For, which the proxy wrote itself; earlier entries come from
 * the client and prove nothing.
 */
export function clientNetwork(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? parseAddress(lastForwarded(String(req.headers['x-forwarded-for'] ?? ''))) : null
  return networkOf(forwarded ?? req.socket.remoteAddress ?? 'unknown')
}

/** A copy: a slice of a string keeps the whole header in memory for as long as a limit remembers the slice. */
function lastForwarded(header: string): string {
  const last = header.slice(header.lastIndexOf(',') + 1).trim()
  return last.length > MAX_ADDRESS_CHARS ? '' : Buffer.from(last, 'latin1').toString('latin1')
}

/** `[2001:db8::1]:443` and `192.0.2.1:443`: some proxies write the client's port. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/**
 * The address in `text` in its one spelling, without port and zone: an address that is spelt in several ways would have each
 * limit several times. An IPv4-mapped IPv6 address is the IPv4 address. Null where `text` is no address.
 */
function parseAddress(text: string): string | null {
  const [, inBrackets, ipv4] = WITH_PORT.exec(text) ?? []
  const [address = ''] = (inBrackets ?? ipv4 ?? text).split('%')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = canonical.startsWith('::ffff:') ? canonical.slice('::ffff:'.length) : ''
  return isIPv4(mapped) ? mapped : canonical
}

/** The network of an address: the address itself, or for IPv6 its /64. What is no address stays unchanged. */
export function networkOf(ip: string): string {
  const address = parseAddress(ip)
  if (!address || isIPv4(address)) return address ?? ip
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const gap = right ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  const network = [...left, ...gap, ...(right ?? [])].slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  // Loopback.
  return network.every((group) => group === '0') ? address : `${network.join(':')}::/64`
}
