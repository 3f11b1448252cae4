import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

// The worker that solves a challenge: it takes `{challenge, timeout}` and sends the solution back, or null where there is none. The
// library's own workers import Node's crypto.

const worker = self as unknown as Worker

worker.addEventListener('message', async ({ data }: MessageEvent<{ challenge: Challenge; timeout: number }>) => {
  try {
    const solution = await solveChallenge({ ...data, deriveKey })
    worker.postMessage(solution && { counter: solution.counter, derivedKey: solution.derivedKey })
  } catch (error) {
    console.error('The challenge could not be solved', error)
    worker.postMessage(null)
  }
})
