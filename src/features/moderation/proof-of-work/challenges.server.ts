import { createHmac, randomBytes } from 'node:crypto'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import type { Db } from '#db/client.ts'
import { createNotes } from '#db/dialect/node-memory.ts'
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

/** The key of challenges, of all nodes together: in memory of one process, or for a day in the database that nodes share. */
const keys = createNotes<{ key: string }>('proof of work', 1)
const KEY_NAME = 'key'

/** Whom a challenge is for: it is worth nothing to another network or for another action. */
export interface ProofScope {
  network: string
  action: ProofAction
}

/** A secret of one network and action, so that a challenge needs to name neither. */
async function secretsOf(db: Db, { network, action }: ProofScope) {
  const key = await findKey(db)
  const derive = (use: string) => createHmac('sha256', key).update(`${use}\0${action}\0${network}`).digest('base64url')
  return { hmacSignatureSecret: derive('challenge'), hmacKeySignatureSecret: derive('solution') }
}

async function findKey(db: Db): Promise<Buffer> {
  const stored = await keys.read(db, KEY_NAME)
  if (stored) return Buffer.from(stored.key, 'base64url')
  // Of two nodes that write one, all read the last.
  const fresh = { key: randomBytes(32).toString('base64url') }
  await keys.write(db, KEY_NAME, fresh)
  const { key } = (await keys.read(db, KEY_NAME)) ?? fresh
  return Buffer.from(key, 'base64url')
}

/** A new challenge. Nothing of it is stored. */
export async function createProofChallenge(db: Db, scope: ProofScope, now = Date.now()) {
  return createChallenge({
    algorithm: ALGORITHM,
    cost: ROUNDS_PER_TRY,
    counter: randomInt(TRIES.max, TRIES.min),
    deriveKey,
    expiresAt: Math.floor(now / 1000) + CHALLENGE_SECONDS,
    ...(await secretsOf(db, scope)),
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
export async function verifyProof(db: Db, scope: ProofScope, proof: string): Promise<string | null> {
  const read = proofSchema.safeParse(parseProof(proof))
  if (!read.success) return null
  const { verified } = await verifySolution({ ...read.data, deriveKey, ...(await secretsOf(db, scope)) })
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
