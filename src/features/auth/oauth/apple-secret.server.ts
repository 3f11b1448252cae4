import { sign } from 'node:crypto'
import type { AppleKey } from '#lib/oauth-settings.ts'

/** Made anew for every call, so it need not live long, seconds. */
const LIFE = 300

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Apple's client secret: a JWT that the operator's key signs (developer.apple.com, «Creating a client secret»). */
export function appleSecret(key: AppleKey, clientId: string, audience: string, now = Date.now()): string {
  const issued = Math.floor(now / 1000)
  const claims = { iss: key.teamId, iat: issued, exp: issued + LIFE, aud: audience, sub: clientId }
  const body = `${part({ alg: 'ES256', kid: key.keyId })}.${part(claims)}`
  // JWTs carry the two halves of the signature side by side, not in DER.
  const signature = sign('sha256', Buffer.from(body), { key: key.pem, dsaEncoding: 'ieee-p1363' })
  return `${body}.${signature.toString('base64url')}`
}
