import { hashCode } from '#features/auth/sign-in/sign-in-secrets.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const hashes = suite('unit/auth/token-hashes')

hashes('a bounded queue waits, further hashes are refused with Retry-After, and capacity is released', async () => {
  const ask = (n: number) =>
    hashCode('ana@ejemplo.es', String(n)).then(
      (hash) => hash.length,
      ({ status, message, retryAfter }: { status: number; message: string; retryAfter: number }) => [
        status,
        message,
        retryAfter,
      ],
    )
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => ask(n)))
    assert.equal(answers.slice(0, 102), Array(102).fill(32))
    const refused = [503, 'Hay demasiada gente entrando a la vez. Inténtalo dentro de un momento.', 5]
    for (const answer of answers.slice(102)) assert.equal(answer, refused)
    assert.is(answers.length, 120)
  }
  assert.equal(await hashCode('ana@ejemplo.es', '1'), await hashCode('ana@ejemplo.es', '1'))
})
