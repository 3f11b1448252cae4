import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 24 bytes in base64url. */
const SECRET_PATTERN = /^[\w-]{32}$/

export const isFinderSecret = (text: string | undefined): text is string =>
  text !== undefined && SECRET_PATTERN.test(text)

export const hashFinderSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a secret is the one whose hash is stored; compared in constant time. */
export function isSecretOf(secret: string, hash: string): boolean {
  const own = hashFinderSecret(secret)
  return own.length === hash.length && timingSafeEqual(Buffer.from(own), Buffer.from(hash))
}

/** A new secret of a finder without account, and what is stored of it. */
export function finderSecret(): { secret: string; hash: string } {
  const secret = randomBytes(24).toString('base64url')
  return { secret, hash: hashFinderSecret(secret) }
}
