import type { IncomingMessage } from 'node:http'

/**
 * Who is calling. Behind a proxy of the operator's (TRUST_PROXY) the last entry of X-Forwarded-For is the one the
 * proxy wrote itself; what stands before it came from the client and proves nothing.
 */
export function clientIp(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : ''
  return forwarded || req.socket.remoteAddress || 'unknown'
}
