import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { MAX_WAITING_PER_SENDER, MAX_WAITING_TOTAL, PictureDecoder } from '#features/photos/decode/decoder.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, suite } from '#tests/support/suites.ts'

const small = await photo()
/** Progressive: the whole picture is in memory, some 50 MB. */
const heavy = await sharp({ create: { width: 2900, height: 2900, channels: 3, background: '#c85a3c' } })
  .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
  .toBuffer()

const turns = suite<{ decoder: PictureDecoder }>('unit/photos/decoder-turns')
turns.before.each((t) => {
  t.decoder = new PictureDecoder()
})
turns.after.each(({ decoder }) => decoder.close())

/** Sends a picture and answers what became of it. */
const senderTo =
  (decoder: PictureDecoder) =>
  async (id: string, bytes = small, signal?: AbortSignal, network = id) => {
    const decoded = await decoder.run({ bytes, prepare: { side: 100 } }, { id, network, ...(signal && { signal }) })
    return 'failure' in decoded ? decoded.failure : Object.keys(decoded)[0]!
  }

turns('accepts a limited number of one sender, and still accepts others’', async ({ decoder }) => {
  const send = senderTo(decoder)
  const ana = Array.from({ length: MAX_WAITING_PER_SENDER + 3 }, () => send('ana'))
  const eva = send('eva')
  const said = await Promise.all(ana)
  assert.equal(said.slice(MAX_WAITING_PER_SENDER), ['sender-limit', 'sender-limit', 'sender-limit'])
  assert.ok(said.slice(0, MAX_WAITING_PER_SENDER).every((one) => one === 'photo'))
  assert.is(await eva, 'photo')
  assert.is(await send('ana'), 'photo', 'they are done, and count no more')
})

/** So many wait beside the one that is at work. */
const FULL_QUEUE = MAX_WAITING_TOTAL + 1

turns('accepts a limited number in total, but always the site’s own', async ({ decoder }) => {
  const send = senderTo(decoder)
  await send('ana')
  // With one each no network has the most: the last one is refused.
  const many = Array.from({ length: FULL_QUEUE }, (_, n) => send(`member ${n}`))
  assert.is(await send('somebody else'), 'queue-full')
  const site = decoder.run({ bytes: small, square: { side: 20, format: 'webp', quality: 50 } })
  assert.ok((await Promise.all(many)).every((one) => one === 'photo'))
  assert.ok('square' in (await site))
  assert.is(await send('somebody else'), 'photo')
})

for (const [crowd, network] of [
  ['members of one network', () => '192.0.2.1'],
  ['visitors of four networks', (n: number) => `198.51.100.${n}`],
] as const)
  turns(`when all is full, ${crowd} lose their newest to senders with fewer`, async ({ decoder }) => {
    const send = senderTo(decoder)
    await send('ana')
    const many = Array.from({ length: FULL_QUEUE }, (_, n) => send(`m${n % 5}`, small, undefined, network(n % 4)))
    const late = Array.from({ length: 6 }, (_, n) => send(`l${n}`, small, undefined, `203.0.113.${n}`))
    assert.equal(await Promise.all(late), Array(6).fill('photo'))
    const said = await Promise.all(many)
    assert.is(said.filter((one) => one === 'queue-full').length, 6)
    assert.ok(
      said.slice(0, 24).every((one) => one === 'photo'),
      'the oldest stay',
    )
  })

turns('a withdrawn picture is not decoded, and withdrawing one under way stops it', async ({ decoder }) => {
  const send = senderTo(decoder)
  const leaving = new AbortController()
  const both = [send('ana', heavy, leaving.signal), send('ana', heavy, leaving.signal)]
  const stays = send('eva')
  await sleep(30)
  leaving.abort()
  assert.equal(await Promise.all(both), ['gone', 'gone'])
  assert.is(await stays, 'photo')
})

turns('work whose process ended is started once more', async ({ decoder }) => {
  const send = senderTo(decoder)
  await send('ana')
  const work = send('ana', heavy)
  await sleep(5)
  process.kill(decoder.pid!, 'SIGKILL')
  assert.is(await work, 'photo')
})

turns('a closed decoder starts no other process for queued pictures', async ({ decoder }) => {
  const send = senderTo(decoder)
  await send('ana')
  const waiting = Array.from({ length: 8 }, () => send('ana', heavy))
  await sleep(20)
  decoder.close()
  const said = await Promise.all(waiting)
  assert.ok(said.includes('gone'), said.join())
  assert.ok(
    said.every((one) => one === 'gone' || one === 'photo'),
    said.join(),
  )
  assert.is(decoder.pid, undefined)
  // The development server begins anew in the same process.
  assert.is(await send('ana'), 'photo')
})
