import type { APIContext } from 'astro'
import * as z from 'zod/mini'
import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'
import { endpoint, validate } from '#server/endpoint.ts'
import { suspicionLeft } from '#server/limits/network-conduct.ts'
import { limit, takePoints } from '#server/limits/rate-limit.ts'
import { proofChallengeAnswer } from '../answers.ts'
import { CHALLENGE_SECONDS, createProofChallenge, verifyProof } from './challenges.server.ts'
import { PROOF_ACTIONS, PROOF_HEADER, PROOF_TEXTS, type ProofAction, proofChallengePath } from './proof-of-work.ts'

/** Challenges for one network: [count, seconds]. Each costs a few milliseconds. */
const CHALLENGES_PER_NETWORK = [60, 300] as const

const challengeQuery = z.object({ for: z.enum(PROOF_ACTIONS, PROOF_TEXTS.unknownAction) })

const scopeOf = ({ locals }: Pick<APIContext, 'locals'>, action: ProofAction) => ({
  network: toSitePrefix(locals.network),
  action,
})

/** `GET /api/proof-of-work?for=sign-in|passkey|dog|sighting|found`: a challenge that a request from a suspect network has to solve. */
export const proofChallenge = endpoint({ 200: proofChallengeAnswer }, async (context) => {
  const { for: action } = validate(challengeQuery, Object.fromEntries(context.url.searchParams))
  await limit('proof-challenge', context.locals.network, ...CHALLENGES_PER_NETWORK)
  const challenge = await createProofChallenge(scopeOf(context, action))
  return challenge as z.output<typeof proofChallengeAnswer>
})

/**
 * Lets requests pass from networks that behave. From any other one it takes a proof of work, each once, for this action and from this
 * network. It replaces no limit: call it beside the action's own. The body need not have been read.
 * @throws AppError 429 with Retry-After, and `proofOfWork` that says where the challenge is and which header takes the proof
 */
export async function requireProof(context: APIContext, action: ProofAction): Promise<void> {
  const { network } = context.locals
  const msLeft = await suspicionLeft(network)
  if (msLeft === 0) return
  const proof = context.request.headers.get(PROOF_HEADER)
  const name = proof === null ? null : await verifyProof(scopeOf(context, action), proof)
  if (name !== null && (await isFirstUse(name))) return
  incrementCounter('refused', 'requests without proof of work')
  throw new AppError(429, PROOF_TEXTS.required, {
    retryAfter: msLeft / 1000,
    extensions: { proofOfWork: { challenge: proofChallengePath(action), header: PROOF_HEADER } },
  })
}

/** Longer than any challenge is good for, whatever is rounded. */
const USED_SECONDS = CHALLENGE_SECONDS + 60

/** Notes that the challenge is used. */
const isFirstUse = (name: string): Promise<boolean> =>
  takePoints({ name: 'proof-of-work', caller: name, cost: 1, points: 1, seconds: USED_SECONDS })
