import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DecodePool, WAITING_OF_ALL, WAITING_OF_ONE } from '#features/photos/decode/pool.server.ts'
import { photo } from '#tests/support/photo.ts'

const small = await photo()
/** Progressive: all of it lies in memory, some 50 MB. */
const heavy = await sharp({ create: { width: 2900, height: 2900, channels: 3, background: '#c85a3c' } })
  .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
  .toBuffer()

const pools = suite<{ pool: DecodePool }>('the decoders')
pools.before.each((t) => {
  t.pool = new DecodePool()
})
pools.after.each(({ pool }) => pool.close())

/** What became of pictures, in the order in which they were done. */
function desk(pool: DecodePool) {
  const done: string[] = []
  const send = async (name: string, who: string, bytes = small, signal?: AbortSignal) => {
    const decoded = await pool.run({ bytes, prepare: { side: 100 } }, { who, ...(signal && { signal }) })
    const said = 'not' in decoded ? decoded.not : Object.keys(decoded)[0]!
    done.push(`${name} ${said}`)
    return said
  }
  return { done, send }
}

pools('take so many of one sender and no more, and others’ all the same', async ({ pool }) => {
  const { send } = desk(pool)
  const ana = Array.from({ length: WAITING_OF_ONE + 3 }, (_, n) => send(`a${n}`, 'ana'))
  const eva = send('e', 'eva')
  const said = await Promise.all(ana)
  assert.equal(said.slice(WAITING_OF_ONE), ['one', 'one', 'one'])
  assert.ok(said.slice(0, WAITING_OF_ONE).every((one) => one === 'photo'))
  assert.is(await eva, 'photo')
  assert.is(await send('later', 'ana'), 'photo', 'they are done, and count no more')
})

pools('take so many of all together, but always what the site itself asks', async ({ pool }) => {
  const { send } = desk(pool)
  const many = Array.from({ length: WAITING_OF_ALL }, (_, n) => send(`p${n}`, `member ${n % 8}`))
  assert.is(await send('late', 'somebody else'), 'all')
  const site = pool.run({ bytes: small, square: { side: 20, format: 'webp', quality: 50 } })
  assert.ok((await Promise.all(many)).every((one) => one === 'photo'))
  assert.ok('square' in (await site))
  assert.is(await send('later', 'somebody else'), 'photo')
})

pools('let an ordinary picture pass whatever heavy ones there are', async ({ pool }) => {
  const { done, send } = desk(pool)
  await send('warm', 'ana')
  const heavies = Array.from({ length: 6 }, (_, n) => send(`heavy${n}`, 'eva', heavy))
  await sleep(50)
  assert.is(await send('ordinary', 'ana'), 'photo')
  const before = done.filter((line) => line.startsWith('heavy')).length
  assert.ok(before < 6, done.join())
  assert.ok((await Promise.all(heavies)).every((one) => one === 'photo'))
  assert.is(pool.pids.length <= 2, true)
})

pools('who leaves the line is not decoded, and who leaves while it is stops it', async ({ pool }) => {
  const { send } = desk(pool)
  const leaving = new AbortController()
  const both = [send('a', 'ana', heavy, leaving.signal), send('b', 'ana', heavy, leaving.signal)]
  const stays = send('c', 'eva')
  await sleep(30)
  leaving.abort()
  assert.equal(await Promise.all(both), ['gone', 'gone'])
  assert.is(await stays, 'photo')
})

pools('a process that something ended is begun once more', async ({ pool }) => {
  const { send } = desk(pool)
  await send('warm', 'ana')
  const work = send('a', 'ana', heavy)
  await sleep(5)
  for (const pid of pool.pids) process.kill(pid, 'SIGKILL')
  assert.is(await work, 'photo')
})

pools('closed, they begin no other process for what waits', async ({ pool }) => {
  const { send } = desk(pool)
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
