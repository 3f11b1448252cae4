/** An answer of the API. `body` is its parsed JSON; null for none. */
export interface Answer {
  status: number
  body: unknown
}

/** Sends the request; gets the headers to add. */
export type Send<T extends Answer> = (headers: Record<string, string>) => Promise<T>

/**
 * Sends a request, and where the answer asks for a proof of work, solves the challenge and sends it again with the proof. All that does so is
 * loaded only then.
 * @returns the last answer; one whose `detail` says so where the person cancels
 * @throws what `send` throws
 */
export async function sendWithProof<T extends Answer>(send: Send<T>): Promise<T> {
  const answer = await send({})
  if (answer.status !== 429 || !Object.hasOwn(Object(answer.body), 'proofOfWork')) return answer
  const { sendProved } = await import('./prove-work.client.ts')
  return sendProved(answer, send)
}

/** The same for what is queued. A proof is a page's: what the worker is asked for one has failed, and a page sends it at once. */
export const sendQueued = <T extends Answer>(send: Send<T>): Promise<T> =>
  'document' in globalThis
    ? sendWithProof(send)
    : send({}).then((answer) => (answer.status === 429 ? Promise.reject(new Error('429')) : answer))
