import { openDialog } from '#ui/dialog.client.ts'
import { PROOF_HEADER, PROOF_TEXTS } from './proof-of-work.ts'
import type { Answer, Send } from './with-proof.client.ts'

type ProofOutcome =
  | { kind: 'proved'; proof: string }
  | { kind: 'cancelled' }
  /** The challenge could not be fetched, or this browser cannot solve it: Web Crypto needs https. */
  | { kind: 'failed' }

const SPINNER =
  '<svg class="lucide spin" viewBox="0 0 24 24" aria-hidden="true"><path d="M21 12a9 9 0 1 1-6.219-8.56"/></svg>'

/** A phone needs seconds; whatever takes this long is not going to end. */
const SOLVE_TIMEOUT_MS = 90_000

/** A proof can expire under way, and the phone change its network: then another one is asked for. */
const MAX_PROOFS = 2

/** Where the challenge is that an answer asks to solve; null for any other answer. */
function findChallenge({ status, body }: Answer): string | null {
  if (status !== 429 || typeof body !== 'object' || body === null || !('proofOfWork' in body)) return null
  const { challenge } = body.proofOfWork as { challenge?: unknown }
  return typeof challenge === 'string' && challenge.startsWith('/') ? challenge : null
}

/**
 * Sends a request again with a proof of work, while its answers ask for one.
 * @param answer the first, which asks for one
 */
export async function sendProved<T extends Answer>(answer: T, send: Send<T>): Promise<T> {
  let last = answer
  for (let proofs = 0; proofs < MAX_PROOFS; proofs++) {
    const challenge = findChallenge(last)
    if (challenge === null) return last
    const outcome = await proveWork(challenge)
    if (outcome.kind === 'cancelled') return { ...last, body: { detail: PROOF_TEXTS.cancelled } }
    if (outcome.kind === 'failed') return last
    last = await send({ [PROOF_HEADER]: outcome.proof })
  }
  return last
}

/**
 * Solves the challenge at `address` in a worker, under a dialog that says so and lets the person cancel.
 * @returns the value of the header that carries the proof
 */
async function proveWork(address: string): Promise<ProofOutcome> {
  const cancelled = new AbortController()
  const dialog = openStatusDialog(() => cancelled.abort())
  try {
    const response = await fetch(address, { headers: { Accept: 'application/json' }, signal: cancelled.signal })
    if (!response.ok) return { kind: 'failed' }
    const challenge: unknown = await response.json()
    const solution = await solve(challenge, cancelled.signal)
    return solution ? { kind: 'proved', proof: btoa(JSON.stringify({ challenge, solution })) } : { kind: 'failed' }
  } catch (error) {
    if (cancelled.signal.aborted) return { kind: 'cancelled' }
    console.error('The challenge could not be solved', error)
    return { kind: 'failed' }
  } finally {
    dialog.close()
  }
}

/** @returns the solution; null where the worker finds none in time. @throws on abort, and where the worker fails */
function solve(challenge: unknown, signal: AbortSignal): Promise<unknown> {
  return new Promise<unknown>((resolve, reject) => {
    const worker = new Worker(new URL('./solver-worker.client.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.addEventListener('message', ({ data }) => end(() => resolve(data)))
    worker.addEventListener('error', (event) => end(() => reject(new Error(event.message))))
    signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)))
    worker.postMessage({ challenge, timeout: SOLVE_TIMEOUT_MS })
  })
}

/** @param onCancel called where the person closes it */
function openStatusDialog(onCancel: () => void): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.className = 'dlg'
  // A press beside it cancels nothing.
  dialog.dataset.dialogFirm = ''
  dialog.setAttribute('aria-labelledby', 'proof-title')
  dialog.setAttribute('aria-describedby', 'proof-status')
  dialog.innerHTML = `<div class="row dlg-head"><h2 id="proof-title" tabindex="-1" autofocus>${PROOF_TEXTS.title}</h2>${SPINNER}</div>
<div class="dlg-body"><p id="proof-status" role="status">${PROOF_TEXTS.working}</p></div>
<div class="row dlg-foot"><button class="btn" type="button" data-dialog-close>${PROOF_TEXTS.cancel}</button></div>`
  dialog.addEventListener('close', () => {
    dialog.remove()
    onCancel()
  })
  document.body.append(dialog)
  openDialog(dialog)
  return dialog
}
