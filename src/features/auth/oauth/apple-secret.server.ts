import { sign } from 'node:crypto'
import type { AppleKey } from '#lib/auth/oauth-settings.ts'

/** Seconds. Every call creates a new secret, so a short life is enough. */
const SECRET_TTL_SECONDS = 300

const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Apple's client secret: a JWT that the operator's key signs (developer.apple.com, «Creating a client secret»). */
export function createAppleSecret(key: AppleKey, clientId: string, audience: string, now = Date.now()): string {
  const issuedAt = Math.floor(now / 1000)
  const claims = { iss: key.teamId, iat: issuedAt, exp: issuedAt + SECRET_TTL_SECONDS, aud: audience, sub: clientId }
  const body = `${encodeJwtPart({ alg: 'ES256', kid: key.keyId })}.${encodeJwtPart(claims)}`
  // JWTs hold the signature as r and s side by side (RFC 7518, section 3.4), not in DER.
  const signature = sign('sha256', Buffer.from(body), { key: key.pem, dsaEncoding: 'ieee-p1363' })
  return `${body}.${signature.toString('base64url')}`
}
