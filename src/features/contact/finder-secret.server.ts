import { randomBytes } from 'node:crypto'
import { hashSecret } from '#features/secrets/secrets.server.ts'

/** 24 bytes in base64url. */
const SECRET_PATTERN = /^[\w-]{32}$/

export const isFinderSecret = (text: string | undefined): text is string =>
  text !== undefined && SECRET_PATTERN.test(text)

/** A new secret of a finder without account, and what is stored of it. */
export function finderSecret(): { secret: string; hash: string } {
  const secret = randomBytes(24).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}
