import { holdBody, readBody } from '#server/body/read-body.ts'
import { FairPool } from '#server/fair-pool.ts'
import { beginUpload, MB, rejectionOf, requestOf } from '#tests/support/uploads.ts'
import { assert, suite } from '#tests/support/suites.ts'

const pools = suite('unit/server/fair-pool')

/** A pool of 10, of which one owner may have 6; `evicted` lists what gave way, and why. */
function openPool(ownerGives: 'itself' | 'oldest' = 'itself') {
  const pool = new FairPool({ max: 10, maxPerOwner: 6, ownerGives })
  const evicted: string[] = []
  const add = (name: string, amount: number) => {
    const hold = pool.hold(name[0], (why) => evicted.push(`${name} ${why}`))
    hold.resize(amount)
    return hold
  }
  return { pool, evicted, add }
}

pools('an owner has no more than its share, and gives up what grows or its oldest', () => {
  for (const [gives, victim] of [
    ['itself', 'a2 owner'],
    ['oldest', 'a1 owner'],
  ] as const) {
    const { pool, evicted, add } = openPool(gives)
    add('a1', 4)
    add('a2', 2).resize(3)
    assert.equal(evicted, [victim])
    assert.is(pool.amount, gives === 'itself' ? 4 : 3)
  }
})

pools('beyond the amount of all, the owner with the most loses its oldest', () => {
  const { pool, evicted, add } = openPool()
  add('a1', 2)
  add('a2', 3)
  add('b1', 4)
  const late = add('c1', 1)
  assert.equal(evicted, [])
  late.resize(2)
  assert.equal(evicted, ['a1 all'])
  late.resize(6)
  // Who came last and has the most is the one that gives way.
  assert.equal(evicted, ['a1 all', 'c1 all'])
  assert.is(pool.amount, 7)
})

pools('what is pinned stays, and the next largest owner gives way', () => {
  const { evicted, add } = openPool()
  const [pinned, other] = [add('a1', 6), add('b1', 3)]
  pinned.pin(true)
  add('c1', 2)
  assert.equal(evicted, ['b1 all'])
  pinned.pin(false)
  other.resize(6)
  assert.equal(evicted, ['b1 all'], 'what has given way holds nothing any more')
  add('d1', 4)
  assert.equal(evicted, ['b1 all', 'a1 all'])
})

pools('what is released twice is given back once', () => {
  const { pool, add } = openPool()
  const [first] = [add('a1', 3), add('b1', 3)]
  first.release()
  first.release()
  assert.is(pool.amount, 3)
  first.resize(2)
  assert.is(pool.amount, 3)
})

pools('owners that are not known are each their own', () => {
  const pool = new FairPool({ max: 10, maxPerOwner: 3, ownerGives: 'itself' })
  let evictions = 0
  for (let n = 0; n < 3; n++) pool.hold(undefined, () => evictions++).resize(3)
  assert.equal([evictions, pool.amount], [0, 9])
})

const post = (megabytes: number) => requestOf([new Uint8Array(megabytes * MB)])

pools('bodies of one network, or of one IPv6 site, share what it may send; a refused one holds nothing', async () => {
  for (const names of [
    ['one', 'one'],
    ['2001:db8:1:1::/64', '2001:db8:1:2::/64'],
  ]) {
    const held = await Promise.all(names.map((name) => holdBody(post(30), 44 * MB, name)))
    const { status, message } = (await rejectionOf(readBody(post(5), 44 * MB, names[0])))!
    assert.is(status, 429)
    assert.match(message, 'Estás enviando demasiadas fotos a la vez')
    assert.is((await readBody(post(40), 44 * MB, 'two')).length, 40 * MB)
    // Small bodies have memory of their own.
    assert.is((await readBody(requestOf([new Uint8Array(60)]), 64 * 1024, names[0])).length, 60)
    for (const { release } of held) release()
    assert.is((await readBody(post(44), 44 * MB, names[0])).length, 44 * MB)
  }
})

pools('a body that waits gives way to who has less, one that is processed does not', async () => {
  const begun = await holdBody(post(30), 44 * MB, 'one')
  begun.start()
  const waiting = await holdBody(post(30), 44 * MB, 'one')
  const arriving = beginUpload(40, 'two')
  await arriving.isHere
  const late = beginUpload(35, 'three')
  late.finish()
  assert.is(await late.end, 35)
  assert.ok(waiting.signal.aborted)
  assert.equal([waiting.signal.reason.status, waiting.signal.reason.retryAfter], [503, 5])
  assert.not(begun.signal.aborted)
  arriving.finish()
  assert.is(await arriving.end, 40)
  for (const { release } of [begun, waiting]) release()
})

pools('thousands of bodies that have only begun displace no larger one, and end with their connection', async () => {
  const honest = beginUpload(5, 'somebody')
  await honest.isHere
  const ends: ReadableStreamDefaultController[] = []
  const begun = Array.from({ length: 3000 }, (_, n) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1))
        ends.push(controller)
      },
    })
    const request = new Request('http://x/', { method: 'POST', body, duplex: 'half' } as RequestInit)
    return rejectionOf(readBody(request, 64 * 1024, `network ${n % 10}`))
  })
  honest.finish()
  assert.is(await honest.end, 5)
  for (const end of ends) end.error(new Error('hung up'))
  assert.equal([...new Set((await Promise.all(begun)).map((error) => error?.status))], [400])
})
