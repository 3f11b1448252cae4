import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DecoderPool, MAX_WAITING_TOTAL, MAX_WAITING_PER_SENDER } from '#features/photos/decode/decoder-pool.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'

const small = await photo()
/** Progressive: the whole picture is in memory, some 50 MB. */
const heavy = await sharp({ create: { width: 2900, height: 2900, channels: 3, background: '#c85a3c' } })
  .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
  .toBuffer()

const pools = suite<{ pool: DecoderPool }>('unit/photos/decoder-pool')
pools.before.each((t) => {
  t.pool = new DecoderPool()
})
pools.after.each(({ pool }) => pool.close())

/** What became of pictures, in the order in which they were done. */
function recordingDesk(pool: DecoderPool) {
  const done: string[] = []
  const send = async (name: string, id: string, bytes = small, signal?: AbortSignal, network = id) => {
    const decoded = await pool.run({ bytes, prepare: { side: 100 } }, { id, network, ...(signal && { signal }) })
    const said = 'failure' in decoded ? decoded.failure : Object.keys(decoded)[0]!
    done.push(`${name} ${said}`)
    return said
  }
  return { done, send }
}

pools('accepts a limited number of one sender, and still accepts others’', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  const ana = Array.from({ length: MAX_WAITING_PER_SENDER + 3 }, (_, n) => send(`a${n}`, 'ana'))
  const eva = send('e', 'eva')
  const said = await Promise.all(ana)
  assert.equal(said.slice(MAX_WAITING_PER_SENDER), ['sender-limit', 'sender-limit', 'sender-limit'])
  assert.ok(said.slice(0, MAX_WAITING_PER_SENDER).every((one) => one === 'photo'))
  assert.is(await eva, 'photo')
  assert.is(await send('later', 'ana'), 'photo', 'they are done, and count no more')
})

/** So many wait beside the two that are at work. */
const FULL_QUEUE = MAX_WAITING_TOTAL.light + 2

pools('accepts a limited number in total, but always the site’s own', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  await send('warm', 'ana')
  // With one each no network has the most: the last one is refused.
  const many = Array.from({ length: FULL_QUEUE }, (_, n) => send(`p${n}`, `member ${n}`))
  assert.is(await send('late', 'somebody else'), 'queue-full')
  const site = pool.run({ bytes: small, square: { side: 20, format: 'webp', quality: 50 } })
  assert.ok((await Promise.all(many)).every((one) => one === 'photo'))
  assert.ok('square' in (await site))
  assert.is(await send('later', 'somebody else'), 'photo')
})

for (const [crowd, network] of [
  ['members of one network', () => '192.0.2.1'],
  ['visitors of four networks', (n: number) => `198.51.100.${n}`],
] as const)
  pools(`when all is full, ${crowd} lose their newest to senders with fewer`, async ({ pool }) => {
    const { send } = recordingDesk(pool)
    await send('warm', 'ana')
    const many = Array.from({ length: FULL_QUEUE }, (_, n) =>
      send(`p${n}`, `m${n % 5}`, small, undefined, network(n % 4)),
    )
    const late = Array.from({ length: 6 }, (_, n) => send(`late${n}`, `l${n}`, small, undefined, `203.0.113.${n}`))
    assert.equal(await Promise.all(late), Array(6).fill('photo'))
    const said = await Promise.all(many)
    assert.is(said.filter((one) => one === 'queue-full').length, 6)
    assert.ok(
      said.slice(0, 24).every((one) => one === 'photo'),
      'the oldest stay',
    )
  })

pools('decodes light pictures beside any number of heavy ones', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  await send('warm', 'ana')
  const leaving = new AbortController()
  const heavies = Array.from({ length: 48 }, (_, n) => send(`h${n}`, `m${n % 4}`, heavy, leaving.signal, '192.0.2.1'))
  const light = Array.from({ length: 10 }, (_, n) => send(`l${n}`, `l${n}`, small, undefined, `203.0.113.${n}`))
  assert.equal(await Promise.all(light), Array(10).fill('photo'))
  // Nor does a network with many heavy pictures keep out one with a single picture.
  assert.is(await send('honest', 'honest', heavy, undefined, '203.0.113.99'), 'photo')
  leaving.abort()
  const said = await Promise.all(heavies)
  assert.ok(said.includes('queue-full'), said.join())
})

pools('accepts an ordinary picture beside queued heavy ones', async ({ pool }) => {
  const { done, send } = recordingDesk(pool)
  await send('warm', 'ana')
  const heavies = Array.from({ length: 6 }, (_, n) => send(`heavy${n}`, 'eva', heavy))
  await sleep(50)
  assert.is(await send('ordinary', 'ana'), 'photo')
  const before = done.filter((line) => line.startsWith('heavy')).length
  assert.ok(before < 6, done.join())
  assert.ok((await Promise.all(heavies)).every((one) => one === 'photo'))
  assert.is(pool.pids.length <= 2, true)
})

pools('a withdrawn picture is not decoded, and withdrawing one under way stops it', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  const leaving = new AbortController()
  const both = [send('a', 'ana', heavy, leaving.signal), send('b', 'ana', heavy, leaving.signal)]
  const stays = send('c', 'eva')
  await sleep(30)
  leaving.abort()
  assert.equal(await Promise.all(both), ['gone', 'gone'])
  assert.is(await stays, 'photo')
})

pools('work whose process ended is started once more', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  await send('warm', 'ana')
  const work = send('a', 'ana', heavy)
  await sleep(5)
  for (const pid of pool.pids) process.kill(pid, 'SIGKILL')
  assert.is(await work, 'photo')
})

pools('a closed pool starts no other process for queued pictures', async ({ pool }) => {
  const { send } = recordingDesk(pool)
  await send('warm', 'ana')
  const waiting = Array.from({ length: 8 }, (_, n) => send(`w${n}`, 'ana', heavy))
  await sleep(20)
  pool.close()
  const said = await Promise.all(waiting)
  assert.ok(said.includes('gone'), said.join())
  assert.ok(
    said.every((one) => one === 'gone' || one === 'photo'),
    said.join(),
  )
  assert.equal(pool.pids, [])
  // The development server begins anew in the same process.
  assert.is(await send('later', 'ana'), 'photo')
})

pools.run()
