import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import {
  CHALLENGE_SECONDS,
  createProofChallenge,
  type ProofScope,
  ROUNDS_PER_TRY,
  TRIES,
  verifyProof,
} from '#features/moderation/proof-of-work/challenges.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const SCOPE: ProofScope = { network: '192.0.2.1', action: 'sign-in' }

const work = suite('unit/moderation/proof-of-work')

type Challenge = Awaited<ReturnType<typeof createProofChallenge>>
const toHeader = (proof: object) => Buffer.from(JSON.stringify(proof)).toString('base64')

/** Solved once for all tests: it is work. */
let solved: { challenge: Challenge; solution: { counter: number; derivedKey: string } } | undefined
async function solve() {
  if (solved) return solved
  const challenge = await createProofChallenge(SCOPE)
  const solution = await solveChallenge({ challenge, deriveKey })
  assert.ok(solution)
  return (solved = { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } })
}

work('the worker’s half of the library solves what the server’s makes', async () => {
  const { challenge, solution } = await solve()
  assert.is(await verifyProof(SCOPE, toHeader({ challenge, solution })), challenge.parameters.nonce)
  assert.ok(solution.counter >= TRIES.min && solution.counter <= TRIES.max, String(solution.counter))
  const { cost, expiresAt, algorithm } = challenge.parameters
  assert.equal([cost, algorithm], [ROUNDS_PER_TRY, 'PBKDF2/SHA-256'])
  assert.ok(Math.abs(expiresAt! - Date.now() / 1000 - CHALLENGE_SECONDS) < 60)
})

work('a proof is worth nothing to another network or for another action', async () => {
  const header = toHeader(await solve())
  assert.is(await verifyProof({ ...SCOPE, network: '192.0.2.2' }, header), null)
  assert.is(await verifyProof({ ...SCOPE, action: 'dog' }, header), null)
})

work('a challenge that was changed, or that another made, is refused', async () => {
  const { challenge, solution } = await solve()
  const { parameters, signature = '' } = challenge
  const forged = [
    { ...challenge, parameters: { ...parameters, expiresAt: parameters.expiresAt! + 3600 } },
    { ...challenge, parameters: { ...parameters, cost: 1 } },
    { ...challenge, parameters: { ...parameters, keyPrefix: '00'.repeat(16) } },
    { ...challenge, parameters: { ...parameters, keySignature: '00'.repeat(32) } },
    { ...challenge, signature: `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}` },
    await createProofChallenge(SCOPE),
  ]
  for (const other of forged) assert.is(await verifyProof(SCOPE, toHeader({ challenge: other, solution })), null)
})

work('an expired challenge and a wrong solution are refused', async () => {
  const { challenge, solution } = await solve()
  const wrong = { ...solution, derivedKey: `${'0'.repeat(63)}1` }
  assert.is(await verifyProof(SCOPE, toHeader({ challenge, solution: wrong })), null)
  const old = await createProofChallenge(SCOPE, Date.now() - (CHALLENGE_SECONDS + 1) * 1000)
  const late = await solveChallenge({ challenge: old, deriveKey })
  assert.ok(late)
  const { counter, derivedKey } = late
  assert.is(await verifyProof(SCOPE, toHeader({ challenge: old, solution: { counter, derivedKey } })), null)
})

work('whatever is no proof is refused without work', async () => {
  const { challenge, solution } = await solve()
  const { keySignature: _, ...parameters } = challenge.parameters
  const others = [
    '',
    'no',
    toHeader([]),
    toHeader({}),
    toHeader({ challenge }),
    toHeader({ challenge, solution: { ...solution, counter: -1 } }),
    toHeader({ challenge, solution: { ...solution, derivedKey: 'x' } }),
    toHeader({ challenge: { ...challenge, parameters }, solution }),
    toHeader({ challenge, solution, more: 'x'.repeat(5000) }),
    '['.repeat(1500),
  ]
  for (const other of others) assert.is(await verifyProof(SCOPE, other), null, other.slice(0, 40))
})
