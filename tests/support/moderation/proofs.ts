import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** Solves a challenge of `GET /api/proof-of-work`. @returns the value of the header that carries the proof */
export async function proofOf(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('the challenge has no solution')
  const { counter, derivedKey } = solution
  return Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey } })).toString('base64')
}
