import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readBody } from '#server/body/read-body.ts'
import { MB, rejectionOf, requestOf } from '#tests/support/uploads.ts'
import { assert, suite } from '#tests/support/suites.ts'

const body = suite('unit/server/body')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** What this process keeps, bytes. */
function retainedBytes(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

body('a body is read completely, in order', async () => {
  const bytes = await readBody(requestOf([new Uint8Array([1, 2]), new Uint8Array([3])]), 3)
  assert.equal([...bytes], [1, 2, 3])
  assert.is((await readBody(new Request('http://x/'), 10)).length, 0)
})

body('a body above its limit is refused, by its declared or its sent size', async () => {
  const sentence = 'La petición es demasiado grande.'
  for (const given of [requestOf([], { 'Content-Length': '11' }), requestOf([new Uint8Array(6), new Uint8Array(5)])]) {
    const { status, message } = (await rejectionOf(readBody(given, 10)))!
    assert.equal([status, message], [413, sentence])
  }
})

body('a body is read completely in chunks of every size, across its pages', async () => {
  const sent = Buffer.from(Array.from({ length: 300_001 }, (_, i) => (i * 7 + (i >> 8)) % 256))
  for (const sizes of [[1000], [65_536], [65_535, 2], [65_537], [200_000, 1], [300_001], [0, 999]]) {
    const pieces: Uint8Array[] = []
    for (let at = 0, i = 0; at < sent.length; i++) {
      const size = sizes[i % sizes.length]!
      pieces.push(new Uint8Array(sent.subarray(at, at + size)))
      at += size
    }
    const got = await readBody(requestOf(pieces), 300_001)
    assert.ok(sent.equals(got), String(sizes))
  }
})

/** A body of one piece after another, until its reader has enough. Counts what was taken, and keeps none. */
function endless(piece: number) {
  const state = { taken: 0, isLeft: false }
  const stream = new ReadableStream({
    pull(controller) {
      state.taken++
      controller.enqueue(new Uint8Array(piece))
    },
    cancel: () => void (state.isLeft = true),
  })
  const upload = new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  return Object.assign(state, { upload })
}

body('a body in too small chunks is refused, with limits of every size', async () => {
  for (const limit of [4096, 64 * 1024, 4 * MB, 44 * MB])
    for (const piece of [1, 16]) {
      const drops = endless(piece)
      const { status } = (await rejectionOf(readBody(drops.upload, limit)))!
      assert.is(status, 413)
      assert.ok(drops.isLeft)
      assert.ok(drops.taken <= limit / 256 + 2010, `${drops.taken} pieces of ${piece} under ${limit}`)
    }
})

body('a body takes memory by its size, not by its number of chunks', async () => {
  // As many small pieces as are taken; each, kept as it came, takes some two hundred bytes.
  const before = retainedBytes()
  const half = async () => {
    let sent = 0
    let finish = () => {}
    const wait = new Promise<void>((done) => (finish = done))
    let came = () => {}
    const isHere = new Promise<void>((done) => (came = done))
    const stream = new ReadableStream({
      async pull(controller) {
        if (sent++ < 150_000) return controller.enqueue(new Uint8Array(1))
        came()
        await wait
        controller.close()
      },
    })
    const upload = new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
    const end = readBody(upload, 44 * MB)
    await isHere
    return { finish, end }
  }
  const bodies = await Promise.all(Array.from({ length: 3 }, half))
  const more = retainedBytes() - before
  for (const { finish, end } of bodies) {
    finish()
    assert.is((await end).length, 150_000)
  }
  assert.ok(more < 20 * MB, `${Math.round(more / MB)} MB`)
})
