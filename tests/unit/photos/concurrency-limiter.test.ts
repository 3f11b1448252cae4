import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RenderPriority, ConcurrencyLimiter } from '#features/photos/render/concurrency-limiter.ts'

const tick = () => new Promise((done) => setImmediate(done))

/** Work that says when it begins and ends when told. */
function controllableWork(room: ConcurrencyLimiter) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let most = 0
  const add = (name: string, line: RenderPriority = 'now', weight = 1) =>
    room.run(
      () => {
        begun.push(name)
        most = Math.max(most, ends.size + 1)
        return new Promise<void>((end) => ends.set(name, end))
      },
      { line, weight, key: name },
    )
  const end = async (name: string) => {
    ends.get(name)!()
    ends.delete(name)
    await tick()
  }
  return { add, end, begun, most: () => most }
}

const limiter = suite('room for pictures')

limiter('as much at once as there are cores, first come first served', async () => {
  const room = new ConcurrencyLimiter(2)
  const { add, end, begun, most } = controllableWork(room)
  for (const name of ['a', 'b', 'c', 'd']) void add(name)
  await tick()
  assert.equal([begun.join(), room.waiting], ['a,b', 2])
  await end('b')
  await end('a')
  assert.equal([begun.join(), room.waiting, most()], ['a,b,c,d', 0, 2])
})

limiter('a huge picture waits until it is alone, and nobody overtakes it', async () => {
  const { add, end, begun } = controllableWork(new ConcurrencyLimiter(2))
  void add('a')
  void add('huge', 'now', 5)
  void add('b')
  await tick()
  assert.is(begun.join(), 'a')
  await end('a')
  assert.is(begun.join(), 'a,huge')
  await end('huge')
  assert.is(begun.join(), 'a,huge,b')
})

limiter('what is made ahead leaves a core free and gives way', async () => {
  const { add, end, begun } = controllableWork(new ConcurrencyLimiter(2))
  for (const name of ['x', 'y', 'z']) void add(name, 'ahead')
  await tick()
  assert.is(begun.join(), 'x')
  for (const name of ['a', 'b']) void add(name)
  await tick()
  assert.is(begun.join(), 'x,a')
  await end('x')
  assert.is(begun.join(), 'x,a,b', 'before what is made ahead')
  await end('a')
  assert.is(begun.join(), 'x,a,b,y')
})

limiter('on one core it still gets its turn', async () => {
  const { add, end, begun } = controllableWork(new ConcurrencyLimiter(1))
  void add('x', 'ahead')
  await tick()
  void add('a')
  await end('x')
  assert.is(begun.join(), 'x,a')
})

limiter('what somebody asks for meanwhile is no longer made ahead', async () => {
  const room = new ConcurrencyLimiter(1)
  const { add, end, begun } = controllableWork(room)
  void add('a')
  for (const name of ['x', 'y']) void add(name, 'ahead')
  void add('b')
  await tick()
  room.promote('y')
  room.promote('nothing')
  for (const name of ['a', 'b', 'y']) await end(name)
  assert.is(begun.join(), 'a,b,y,x')
})

limiter('work that fails leaves its room', async () => {
  const room = new ConcurrencyLimiter(1)
  for (const line of ['now', 'ahead'] as const) {
    await room.run(() => Promise.reject(new Error('no')), { line }).catch(() => {})
    assert.is(await room.run(async () => 'next', { line }), 'next')
  }
})

limiter.run()
