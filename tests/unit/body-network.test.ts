import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { takeBody, type TakenBody } from '#server/body.ts'

// What one network may have on its way or at work: 64 MB, of 128 MB that all may have on their way and 64 MB at work.

const MB = 1024 * 1024
const TOO_MANY_OF_ONE =
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

type Refused = { status: number; message: string; retryAfter?: number }

/** Takes a body that comes at once; what refused it, or what gives it back. */
function taken(megabytes: number, network?: string): Promise<TakenBody | Refused> {
  const { request, end } = upload(megabytes)
  end()
  return takeBody(request, 44 * MB, network).catch((error: Refused) => error)
}

async function kept(megabytes: number, network?: string, hasBegun = false): Promise<() => void> {
  const body = await taken(megabytes, network)
  if ('status' in body) throw new Error(`${megabytes} MB of ${network}: ${body.status}`)
  if (hasBegun) body.work.begin()
  return body.release
}

async function refused(megabytes: number, network?: string): Promise<Refused> {
  const body = await taken(megabytes, network)
  if (!('status' in body)) throw new Error(`${megabytes} MB of ${network} were taken`)
  return body
}

const network = suite('bodies of one network')

network('count together, whole ones until they are released', async () => {
  const releases = [await kept(40, 'one'), await kept(24, 'one')]
  const { status, message, retryAfter } = await refused(1, 'one')
  assert.equal([status, message, retryAfter], [429, TOO_MANY_OF_ONE, 5])
  releases.shift()!()
  releases.push(await kept(24, 'two'))
  releases.pop()!()
  releases.push(await kept(40, 'one'))
  assert.is((await refused(1, 'one')).status, 429)
  for (const release of releases) release()
  for (const name of ['one', 'two']) (await kept(44, name))()
})

network('are given back once, however often they are released', async () => {
  const [first, second] = [await kept(40, 'one'), await kept(24, 'one')]
  second()
  second()
  first()
  first()
  const again = [await kept(40, 'one'), await kept(24, 'one')]
  assert.is((await refused(1, 'one')).status, 429)
  for (const release of again) release()
})

network('count while they are on their way, and no longer once they break off', async () => {
  const slow = [upload(40), upload(24)]
  const ends = slow.map(({ request }) => takeBody(request, 44 * MB, 'one').catch((error: Refused) => error.status))
  await Promise.all(slow.map(({ isHere }) => isHere))
  assert.is((await refused(1, 'one')).status, 429)
  for (const { end } of slow) end(new Error('socket hang up'))
  assert.equal(await Promise.all(ends), [400, 400])
  const releases = [await kept(40, 'one'), await kept(24, 'one')]
  for (const release of releases) release()
})

network('that were refused for their length or their number hold nothing', async () => {
  assert.is((await refused(45, 'one')).status, 413)
  const release = await kept(44, 'one')
  for (let n = 0; n < 5; n++) assert.is((await refused(30, 'one')).status, 429)
  // What was refused held nothing, so this is all there is room for.
  const rest = await kept(20, 'one')
  assert.is((await refused(1, 'one')).status, 429)
  release()
  rest()
})

network('of whom nobody knows the network are bounded by what may be at work', async () => {
  const releases = [await kept(44, undefined, true), await kept(20, undefined, true)]
  // There is no room, and none of those who have their body gives way.
  assert.is((await refused(1)).status, 503)
  assert.is((await refused(1, 'one')).status, 503)
  for (const release of releases) release()
  ;(await kept(44, 'one'))()
})

network.run()
