import { createHmac } from 'node:crypto'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import { siteKey } from '#features/storage/site-key.server.ts'
import type { ProofAction } from './proof-of-work.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
/** Rounds of one try: some 3 ms on a phone, far more than a call of Web Crypto costs besides. */
export const ROUNDS_PER_TRY = 5000
/**
 * The tries that find the solution: of a phone that does 1.5 million rounds a second one to three seconds, of a computer a part of one. Who
 * counts from the lower bound saves a third.
 */
export const TRIES = { min: 300, max: 900 } as const

/** Seconds in which a challenge is to be solved and sent: uploads of photos are slow. */
export const CHALLENGE_SECONDS = 300

/** Whom a challenge is for: it is worth nothing to another network or for another action. */
export interface ProofScope {
  network: string
  action: ProofAction
}

/** Secrets of one network and action, the same on all nodes, so that a challenge needs to name neither. */
function secretsOf({ network, action }: ProofScope) {
  const derive = (use: string) =>
    createHmac('sha256', siteKey()).update(`proof of work\0${use}\0${action}\0${network}`).digest('base64url')
  return { hmacSignatureSecret: derive('challenge'), hmacKeySignatureSecret: derive('solution') }
}

/** A new challenge. Nothing of it is stored. */
export async function createProofChallenge(scope: ProofScope, now = Date.now()) {
  return createChallenge({
    algorithm: ALGORITHM,
    cost: ROUNDS_PER_TRY,
    counter: randomInt(TRIES.max, TRIES.min),
    deriveKey,
    expiresAt: Math.floor(now / 1000) + CHALLENGE_SECONDS,
    ...secretsOf(scope),
  })
}

/** 16 and 32 bytes in hexadecimal. */
const hex16 = z.string().check(z.regex(/^[\da-f]{32}$/))
const hex32 = z.string().check(z.regex(/^[\da-f]{64}$/))

const proofSchema = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(ALGORITHM),
      cost: z.literal(ROUNDS_PER_TRY),
      expiresAt: z.int(),
      keyLength: z.literal(32),
      keyPrefix: hex16,
      keySignature: hex32,
      nonce: hex16,
      salt: hex16,
    }),
    signature: hex32,
  }),
  solution: z.object({ counter: z.int().check(z.nonnegative()), derivedKey: hex32 }),
})

/** A proof has some 700 characters. */
const MAX_PROOF_CHARS = 2000

/**
 * Checks a proof. Whether it was used before is not known here.
 * @param proof the header's value
 * @returns the name of its challenge; null for one that is malformed, forged, unsolved, expired, or for somebody or something else
 */
export async function verifyProof(scope: ProofScope, proof: string): Promise<string | null> {
  const read = proofSchema.safeParse(parseProof(proof))
  if (!read.success) return null
  const { verified } = await verifySolution({ ...read.data, deriveKey, ...secretsOf(scope) })
  return verified ? read.data.challenge.parameters.nonce : null
}

function parseProof(proof: string): unknown {
  if (proof.length > MAX_PROOF_CHARS) return null
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
