import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody, readBodyForProcessing } from '#server/body/read-body.ts'

const MB = 1024 * 1024
const body = suite('body')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** What this process keeps, bytes. */
function retainedBytes(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** A request whose body comes as these pieces, each when the one before was taken. */
function request(pieces: Uint8Array[], headers: Record<string, string> = {}): Request {
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

const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )

body('comes whole, in order', async () => {
  const bytes = await readBody(request([new Uint8Array([1, 2]), new Uint8Array([3])]), 3)
  assert.equal([...bytes], [1, 2, 3])
  assert.is((await readBody(new Request('http://x/'), 10)).length, 0)
})

body('is refused past its limit, said or sent', async () => {
  const sentence = 'La petición es demasiado grande.'
  for (const given of [request([], { 'Content-Length': '11' }), request([new Uint8Array(6), new Uint8Array(5)])]) {
    const { status, message } = (await rejectionOf(readBody(given, 10)))!
    assert.equal([status, message], [413, sentence])
  }
})

body('comes whole in whatever pieces it is sent, across the pages that it is copied into', async () => {
  const sent = Buffer.from(Array.from({ length: 300_001 }, (_, i) => (i * 7 + (i >> 8)) % 256))
  for (const sizes of [[1000], [65_536], [65_535, 2], [65_537], [200_000, 1], [300_001], [0, 999]]) {
    const pieces: Uint8Array[] = []
    for (let at = 0, i = 0; at < sent.length; i++) {
      const size = sizes[i % sizes.length]!
      pieces.push(new Uint8Array(sent.subarray(at, at + size)))
      at += size
    }
    const got = await readBody(request(pieces), 300_001)
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

body(
  'in pieces so small that reading them costs more than they bring is refused, with limits of every size',
  async () => {
    for (const limit of [4096, 64 * 1024, 4 * MB, 44 * MB])
      for (const piece of [1, 16]) {
        const drops = endless(piece)
        const { status } = (await rejectionOf(readBody(drops.upload, limit)))!
        assert.is(status, 413)
        assert.ok(drops.isLeft)
        assert.ok(drops.taken <= limit / 256 + 2010, `${drops.taken} pieces of ${piece} under ${limit}`)
      }
  },
)

body('takes memory by what it holds, not by how many pieces it came in', async () => {
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

body('thousands that have only begun keep out nobody who sends more', async () => {
  const ends: (() => void)[] = []
  const begin = () => {
    let isSent = false
    const stream = new ReadableStream({
      async pull(controller) {
        if (!isSent) controller.enqueue(new Uint8Array(1))
        else await new Promise<void>((done) => ends.push(done)).then(() => controller.close())
        isSent = true
      },
    })
    return readBody(
      new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit),
      64 * 1024,
    )
  }
  const honest = beginUpload(5, 'somebody')
  await honest.isHere
  const all = Array.from({ length: 3000 }, begin)
  while (ends.length < 3000) await new Promise((done) => setTimeout(done, 5))
  honest.finish()
  assert.is(await honest.end, 5)
  for (const end of ends) end()
  await Promise.all(all)
})

body(
  'of everybody at once are no more than memory bears; who comes too many is told, and the others go on',
  async () => {
    const slow: (() => void)[] = []
    const big = () => {
      let sent = 0
      const stream = new ReadableStream({
        async pull(controller) {
          if (sent++ < 30) return controller.enqueue(new Uint8Array(MB))
          await new Promise<void>((done) => slow.push(done))
          controller.close()
        },
      })
      return readBody(
        new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit),
        40 * MB,
      )
    }
    const uploads = Array.from({ length: 6 }, () =>
      big().then(
        (bytes) => bytes.length,
        (error: { status: number }) => error.status,
      ),
    )
    while (slow.length < 6) await new Promise((done) => setTimeout(done, 5))
    for (const finish of slow) finish()
    const ends = await Promise.all(uploads)
    assert.equal(
      [...new Set(ends)].toSorted((a, b) => a - b),
      [503, 30 * MB],
    )
    assert.ok(ends.filter((end) => end === 30 * MB).length >= 3, String(ends))
    // What was held has been given back.
    assert.is((await readBody(request([new Uint8Array(MB)]), 2 * MB)).length, MB)
    const again = await Promise.all(
      [0, 1, 2].map(() => readBody(request(Array.from({ length: 40 }, () => new Uint8Array(MB))), 41 * MB)),
    )
    assert.equal(
      again.map((bytes) => bytes.length),
      [40 * MB, 40 * MB, 40 * MB],
    )
  },
)

/** A body of `megabytes` that comes to its end when it is told to. */
function beginUpload(megabytes: number, network?: string) {
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
  const end = readBodyForProcessing(upload, 44 * MB, network).then(
    ({ bytes, release }) => {
      release()
      return bytes.length / MB
    },
    (error: { status: number }) => error.status,
  )
  return { end, finish, isHere }
}

body('where there is no room for all, who has most on its way gives way, whoever came first', async () => {
  const honest = beginUpload(5, 'somebody')
  await honest.isHere
  // All the room there is, to a byte, and nothing more is sent.
  const greedy = [beginUpload(43, 'one'), beginUpload(18, 'one'), beginUpload(43, 'two'), beginUpload(19, 'two')]
  for (const { isHere } of greedy) await isHere
  for (const [size, network] of [[1], [1, 'a third'], [10, 'a fourth'], [40, 'a fifth']] as const) {
    const late = beginUpload(size, network)
    late.finish()
    assert.is(await late.end, size)
  }
  honest.finish()
  assert.is(await honest.end, 5)
  for (const { finish } of greedy) finish()
  const ends = await Promise.all(greedy.map(({ end }) => end))
  assert.ok(ends.includes(503), String(ends))
  // Nothing of theirs is held any longer.
  const again = [beginUpload(42, 'one'), beginUpload(42, 'two'), beginUpload(42, 'three')]
  for (const { isHere, finish } of again) await isHere.then(finish)
  assert.equal(await Promise.all(again.map(({ end }) => end)), [42, 42, 42])
})

/** A body that goes on by a megabyte whenever it is told to, on a clock that the test sets. */
function slowUpload(network: string) {
  const steps: (() => void)[] = []
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => new Promise<void>((done) => steps.push(done)),
    },
    { highWaterMark: 0 },
  )
  const upload = new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  const end = readBodyForProcessing(upload, 44 * MB, network).then(
    ({ bytes, release }) => (release(), bytes.length / MB),
    (error: { status: number }) => error.status,
  )
  const asked = async () => {
    while (steps.length === 0) await new Promise((done) => setTimeout(done, 1))
    return steps.shift()!
  }
  return {
    end,
    /** Resolves once it was taken. */
    async send(megabytes: number) {
      const done = await asked()
      controller.enqueue(new Uint8Array(megabytes * MB))
      done()
      while (steps.length === 0) await new Promise((resume) => setTimeout(resume, 1))
    },
    async finish() {
      const done = await asked()
      controller.close()
      done()
      return end
    },
  }
}

const CROWD_NETWORKS: Record<string, (n: number) => string> = {
  'as many networks': (n) => `192.0.2.${n}`,
  'as many sites': (n) => `2001:db8:${(n + 1).toString(16)}:0::/64`,
}
for (const [crowd, networkOf] of Object.entries(CROWD_NETWORKS))
  body(`uploads of ${crowd} that were begun and left give way to those that go on`, async () => {
    const { now } = performance
    let late = 0
    performance.now = () => now.call(performance) + late
    try {
      const honest = slowUpload('198.51.100.1')
      await honest.send(8)
      const left = Array.from({ length: 60 }, (_, n) => slowUpload(networkOf(n)))
      for (const each of left) await each.send(2)
      late = 6000
      // Slower than anybody else who is honest, and with more on its way than any of the others.
      await honest.send(1)
      for (const [n, size] of [1, 8, 40].entries()) {
        const another = slowUpload(`198.51.100.${n + 2}`)
        await another.send(size)
        assert.is(await another.finish(), size)
      }
      assert.is(await honest.finish(), 9)
      const ends = await Promise.all(left.map(({ finish }) => finish()))
      assert.equal([...new Set(ends)].toSorted(), [2, 503])
    } finally {
      performance.now = now
    }
  })

body('networks of one IPv6 site share what one network may have on its way', async () => {
  const many = Array.from({ length: 40 }, (_, n) => slowUpload(`2001:db8:1:${n.toString(16)}::/64`))
  for (const each of many) await each.send(2)
  const other = slowUpload('2001:db8:2:0::/64')
  await other.send(40)
  assert.is(await other.finish(), 40)
  const ends = await Promise.all(many.map(({ finish }) => finish()))
  assert.is(ends.filter((end) => end === 429).length, 8)
})

body.run()
