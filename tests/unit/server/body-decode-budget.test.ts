import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody, readBodyForProcessing, type BodyInProcessing } from '#server/body/read-body.ts'

// What is at work has half of the room; small bodies have room of their own.

const MB = 1024 * 1024
const KB = 1024

type Rejection = { status: number; retryAfter?: number }

const post = (body: BodyInit) => new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit)

const takeUpload = (megabytes: number, network: string): Promise<BodyInProcessing | Rejection> =>
  readBodyForProcessing(post(new Uint8Array(megabytes * MB)), 44 * MB, network).catch((error: Rejection) => error)

/** Takes an upload, and has its decoding begun where `hasBegun`. */
async function takeAtWork(megabytes: number, network: string, hasBegun = true): Promise<BodyInProcessing> {
  const taken = await takeUpload(megabytes, network)
  if ('status' in taken) throw new Error(`${megabytes} MB of ${network}: ${taken.status}`)
  if (hasBegun) taken.processing.start()
  return taken
}

const answer = (taken: BodyInProcessing | Rejection) =>
  'status' in taken ? [taken.status, taken.retryAfter] : taken.bytes.length

/** A body that has come but for its end. */
async function open(bytes: number, limit: number, network: string) {
  let end!: () => void
  let came!: () => void
  const isHere = new Promise<void>((done) => (came = done))
  const chunk = Math.min(bytes, MB)
  let sent = 0
  const stream = new ReadableStream({
    async pull(controller) {
      if (sent < bytes) {
        sent += chunk
        return controller.enqueue(new Uint8Array(chunk))
      }
      came()
      await new Promise<void>((done) => (end = done))
      controller.close()
    },
  })
  const result = readBody(post(stream), limit, network).then(
    (all) => all.length,
    (error: Rejection) => error.status,
  )
  await isHere
  return {
    finish: () => {
      end()
      return result
    },
  }
}

const signIn = (network: string) =>
  readBody(post(new Uint8Array(60)), 64 * KB, network).then(
    (bytes) => bytes.length,
    (error: Rejection) => error.status,
  )

const work = suite('unit/server/body-decode-budget: bodies in processing')

work('bodies in processing and incoming ones leave space for small ones', async () => {
  const held = [await takeAtWork(44, 'one'), await takeAtWork(20, 'two')]
  const coming = []
  for (const [size, network] of [
    [20, 'one'],
    [44, 'two'],
  ] as const)
    coming.push(await open(size * MB, 44 * MB, network))
  // Of the very networks that fill the rest, too.
  for (const network of ['one', 'two', 'three']) assert.is(await signIn(network), 60)
  const slow = await open(60, 64 * KB, 'three')
  assert.is(await signIn('four'), 60)
  assert.is(await slow.finish(), 60)
  assert.equal(await Promise.all(coming.map(({ finish }) => finish())), [20 * MB, 44 * MB])
  for (const { release } of held) release()
})

work('bodies in processing leave half of the budget to incoming ones', async () => {
  const held = [await takeAtWork(44, 'one'), await takeAtWork(20, 'two')]
  // Read, and done with at once.
  assert.is(await readBody(post(new Uint8Array(40 * MB)), 44 * MB, 'three').then(({ length }) => length), 40 * MB)
  assert.equal(answer(await takeUpload(1, 'three')), [503, 5])
  for (const { release } of held) release()
  ;(await takeAtWork(44, 'three')).release()
})

work('the newest waiting body of the network with most is evicted first', async () => {
  const begun = await takeAtWork(30, 'one')
  const older = await takeAtWork(10, 'one', false)
  const newest = await takeAtWork(10, 'one', false)
  const another = await takeAtWork(10, 'two', false)
  const late = await takeAtWork(10, 'three', false)
  assert.equal([newest.processing.rejection?.status, newest.processing.rejection?.retryAfter], [503, 5])
  assert.ok(newest.processing.signal.aborted)
  for (const { processing: kept } of [begun, older, another, late]) {
    assert.not(kept.rejection)
    assert.not(kept.signal.aborted)
  }
  for (const { release } of [begun, older, newest, another, late]) release()
})

work('a body in processing is never evicted, and none is evicted without making enough room', async () => {
  const held = [await takeAtWork(44, 'one'), await takeAtWork(10, 'one', false), await takeAtWork(10, 'two')]
  assert.equal(answer(await takeUpload(30, 'three')), [503, 5])
  assert.ok(held.every(({ processing: kept }) => !kept.rejection))
  for (const { release } of held) release()
})

work('a new body of the network with most is refused, and none of the others is evicted', async () => {
  const held = [await takeAtWork(20, 'one', false), await takeAtWork(30, 'two', false)]
  assert.equal(answer(await takeUpload(20, 'two')), [503, 5])
  assert.ok(held.every(({ processing: kept }) => !kept.rejection))
  for (const { release } of held) release()
})

work('a released body reserves nothing, refused or not', async () => {
  for (let n = 0; n < 4; n++) {
    const held = [
      await takeAtWork(40, 'one', false),
      await takeAtWork(24, 'one', false),
      await takeAtWork(20, 'two', false),
    ]
    assert.equal(
      held.map(({ processing: kept }) => kept.rejection?.status),
      [undefined, 503, undefined],
    )
    for (const { release } of held) release()
  }
  ;(await takeAtWork(44, 'three')).release()
})

const small = suite('unit/server/body-decode-budget: small bodies')

small('small bodies of one network use no more than its share', async () => {
  const open1 = await Promise.all(Array.from({ length: 64 }, () => open(64 * KB, 64 * KB, 'one')))
  assert.is(await signIn('one'), 429)
  assert.is(await signIn('two'), 60)
  assert.ok((await Promise.all(open1.map(({ finish }) => finish()))).every((end) => end === 64 * KB))
  assert.is(await signIn('one'), 60)
})

small('small bodies of many networks evict each other, and displace no sign-in and no photo', async () => {
  const all = []
  for (let n = 0; n < 300; n++) all.push(await open(64 * KB, 64 * KB, `network ${n % 10}`))
  assert.is(await signIn('another'), 60)
  ;(await takeAtWork(44, 'another')).release()
  const ends = await Promise.all(all.map(({ finish }) => finish()))
  assert.equal(
    [...new Set(ends)].toSorted((a, b) => a - b),
    [503, 64 * KB],
  )
  assert.ok(ends.filter((end) => end === 64 * KB).length >= 200)
})

work.run()
small.run()
