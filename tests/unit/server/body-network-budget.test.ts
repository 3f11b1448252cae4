import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBodyForProcessing, type BodyInProcessing } from '#server/body/read-body.ts'

// What one network may have on its way or at work: 64 MB, of 128 MB that all may have on their way and 64 MB at work.

const MB = 1024 * 1024
const NETWORK_LIMIT_MESSAGE =
  'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.'

/** A request of so many megabytes that ends when it is told to, or breaks off. */
function upload(megabytes: number) {
  let end!: (error?: Error) => void
  const told = new Promise<Error | undefined>((done) => (end = done))
  let sent = 0
  let came!: () => void
  const isHere = new Promise<void>((done) => (came = done))
  const stream = new ReadableStream({
    async pull(controller) {
      if (sent++ < megabytes) return controller.enqueue(new Uint8Array(MB))
      came()
      const error = await told
      if (error) controller.error(error)
      else controller.close()
    },
  })
  const request = new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  return { request, end, isHere }
}

type Rejection = { status: number; message: string; retryAfter?: number }

/** Takes a body that comes at once; what refused it, or what gives it back. */
function takeUpload(megabytes: number, network?: string): Promise<BodyInProcessing | Rejection> {
  const { request, end } = upload(megabytes)
  end()
  return readBodyForProcessing(request, 44 * MB, network).catch((error: Rejection) => error)
}

async function holdBody(megabytes: number, network?: string, hasBegun = false): Promise<() => void> {
  const body = await takeUpload(megabytes, network)
  if ('status' in body) throw new Error(`${megabytes} MB of ${network}: ${body.status}`)
  if (hasBegun) body.processing.start()
  return body.release
}

async function rejectedUpload(megabytes: number, network?: string): Promise<Rejection> {
  const body = await takeUpload(megabytes, network)
  if (!('status' in body)) throw new Error(`${megabytes} MB of ${network} were taken`)
  return body
}

const network = suite('unit/server/body-network-budget')

network('bodies of one network count together, complete ones until they are released', async () => {
  const releases = [await holdBody(40, 'one'), await holdBody(24, 'one')]
  const { status, message, retryAfter } = await rejectedUpload(1, 'one')
  assert.equal([status, message, retryAfter], [429, NETWORK_LIMIT_MESSAGE, 5])
  releases.shift()!()
  releases.push(await holdBody(24, 'two'))
  releases.pop()!()
  releases.push(await holdBody(40, 'one'))
  assert.is((await rejectedUpload(1, 'one')).status, 429)
  for (const release of releases) release()
  for (const name of ['one', 'two']) (await holdBody(44, name))()
})

network('releasing a body twice returns its bytes once', async () => {
  const [first, second] = [await holdBody(40, 'one'), await holdBody(24, 'one')]
  second()
  second()
  first()
  first()
  const again = [await holdBody(40, 'one'), await holdBody(24, 'one')]
  assert.is((await rejectedUpload(1, 'one')).status, 429)
  for (const release of again) release()
})

network('bodies count while they arrive, and no longer once they break off', async () => {
  const slow = [upload(40), upload(24)]
  const ends = slow.map(({ request }) =>
    readBodyForProcessing(request, 44 * MB, 'one').catch((error: Rejection) => error.status),
  )
  await Promise.all(slow.map(({ isHere }) => isHere))
  assert.is((await rejectedUpload(1, 'one')).status, 429)
  for (const { end } of slow) end(new Error('socket hang up'))
  assert.equal(await Promise.all(ends), [400, 400])
  const releases = [await holdBody(40, 'one'), await holdBody(24, 'one')]
  for (const release of releases) release()
})

network('bodies refused for their size or their number reserve nothing', async () => {
  assert.is((await rejectedUpload(45, 'one')).status, 413)
  const release = await holdBody(44, 'one')
  for (let n = 0; n < 5; n++) assert.is((await rejectedUpload(30, 'one')).status, 429)
  // What was refused held nothing, so this is all there is room for.
  const rest = await holdBody(20, 'one')
  assert.is((await rejectedUpload(1, 'one')).status, 429)
  release()
  rest()
})

network('bodies of an unknown network are bounded by the limit of processing', async () => {
  const releases = [await holdBody(44, undefined, true), await holdBody(20, undefined, true)]
  // There is no room, and none of those who have their body gives way.
  assert.is((await rejectedUpload(1)).status, 503)
  assert.is((await rejectedUpload(1, 'one')).status, 503)
  for (const release of releases) release()
  ;(await holdBody(44, 'one'))()
})

network.run()
