import { holdBody } from '#server/body/read-body.ts'

export const MB = 1024 * 1024

/** A request whose body is these pieces, each sent when the reader has taken the previous one. */
export function requestOf(pieces: Uint8Array[], headers: Record<string, string> = {}): Request {
  const left = [...pieces]
  const stream = new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  return new Request('http://x/', { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit)
}

/** The error that a promise rejects with; null where it resolves. */
export const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )

/** Starts an upload of `megabytes` that ends when `finish` is called. `isHere` resolves when all was read but the end. */
export function beginUpload(megabytes: number, network?: string) {
  let finish = () => {}
  const wait = new Promise<void>((done) => (finish = done))
  let sent = 0
  let came = () => {}
  const isHere = new Promise<void>((done) => (came = done))
  const stream = new ReadableStream({
    async pull(controller) {
      if (sent++ < megabytes) return controller.enqueue(new Uint8Array(MB))
      came()
      await wait
      controller.close()
    },
  })
  const upload = new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  const end = holdBody(upload, 44 * MB, network).then(
    ({ bytes, release }) => {
      release()
      return bytes.length / MB
    },
    (error: { status: number }) => error.status,
  )
  return { end, finish, isHere }
}
