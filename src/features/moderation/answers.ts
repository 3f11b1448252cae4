import * as z from 'zod/mini'

/**
 * A challenge of the ALTCHA protocol, version 2: the counter is to be found whose key begins with `keyPrefix`. Key: PBKDF2 with `cost`
 * rounds, of `nonce` and the counter (32 bits, big-endian), salted with `salt`.
 */
export const proofChallengeAnswer = z.object({
  parameters: z.object({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.int(),
    /** Seconds since the epoch. */
    expiresAt: z.int(),
    keyLength: z.int(),
    keyPrefix: z.string(),
    keySignature: z.string(),
    nonce: z.string(),
    salt: z.string(),
  }),
  signature: z.string(),
})
