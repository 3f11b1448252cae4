import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '#server/body/read-body.ts'
import { beginUpload, MB, requestOf, slowUpload } from '#tests/support/uploads.ts'

const body = suite('unit/server/body-memory')

body('thousands of bodies that have only begun do not displace one that sends more', async () => {
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

body('all bodies stay within the memory limit; further ones are refused, and the others continue', async () => {
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
    return readBody(new Request('http://x/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit), 40 * MB)
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
  assert.is((await readBody(requestOf([new Uint8Array(MB)]), 2 * MB)).length, MB)
  const again = await Promise.all(
    [0, 1, 2].map(() => readBody(requestOf(Array.from({ length: 40 }, () => new Uint8Array(MB))), 41 * MB)),
  )
  assert.equal(
    again.map((bytes) => bytes.length),
    [40 * MB, 40 * MB, 40 * MB],
  )
})

body('when memory is exhausted, the largest network is evicted, whichever came first', async () => {
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

const CROWD_NETWORKS: Record<string, (n: number) => string> = {
  'as many networks': (n) => `192.0.2.${n}`,
  'as many sites': (n) => `2001:db8:${(n + 1).toString(16)}:0::/64`,
}
for (const [crowd, networkOf] of Object.entries(CROWD_NETWORKS))
  body(`abandoned uploads of ${crowd} are evicted before active ones`, async () => {
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

body('networks of one IPv6 site share what one network may send', async () => {
  const many = Array.from({ length: 40 }, (_, n) => slowUpload(`2001:db8:1:${n.toString(16)}::/64`))
  for (const each of many) await each.send(2)
  const other = slowUpload('2001:db8:2:0::/64')
  await other.send(40)
  assert.is(await other.finish(), 40)
  const ends = await Promise.all(many.map(({ finish }) => finish()))
  assert.is(ends.filter((end) => end === 429).length, 8)
})

body.run()
