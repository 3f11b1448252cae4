import { type RenderPriority, ConcurrencyLimiter } from '#features/photos/render/concurrency-limiter.ts'
import { assert, suite } from '#tests/support/suites.ts'

const tick = () => new Promise((done) => setImmediate(done))

/** Work that reports its start and ends on request. */
function controllableWork(limiterUnderTest: ConcurrencyLimiter) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let maxRunning = 0
  const add = (name: string, priority: RenderPriority = 'request') =>
    limiterUnderTest.run(
      () => {
        begun.push(name)
        maxRunning = Math.max(maxRunning, ends.size + 1)
        return new Promise<void>((end) => ends.set(name, end))
      },
      { priority },
    )
  const end = async (name: string) => {
    ends.get(name)!()
    ends.delete(name)
    await tick()
  }
  return { add, end, begun, maxRunning: () => maxRunning }
}

const limiter = suite('unit/photos/concurrency-limiter')

limiter('runs as much at once as there are cores, first come first served', async () => {
  const limiterUnderTest = new ConcurrencyLimiter(2)
  const { add, end, begun, maxRunning } = controllableWork(limiterUnderTest)
  for (const name of ['a', 'b', 'c', 'd']) void add(name)
  await tick()
  assert.equal([begun.join(), limiterUnderTest.waiting], ['a,b', 2])
  await end('b')
  await end('a')
  assert.equal([begun.join(), limiterUnderTest.waiting, maxRunning()], ['a,b,c,d', 0, 2])
})

limiter('a prerender leaves a core free and yields', async () => {
  const { add, end, begun } = controllableWork(new ConcurrencyLimiter(2))
  for (const name of ['x', 'y', 'z']) void add(name, 'prerender')
  await tick()
  assert.is(begun.join(), 'x')
  for (const name of ['a', 'b']) void add(name)
  await tick()
  assert.is(begun.join(), 'x,a')
  await end('x')
  assert.is(begun.join(), 'x,a,b', 'before prerenders')
  await end('a')
  assert.is(begun.join(), 'x,a,b,y')
})

limiter('on one core a prerender still runs', async () => {
  const { add, end, begun } = controllableWork(new ConcurrencyLimiter(1))
  void add('x', 'prerender')
  await tick()
  void add('a')
  await end('x')
  assert.is(begun.join(), 'x,a')
})

limiter('failing work releases its cores', async () => {
  const limiterUnderTest = new ConcurrencyLimiter(1)
  for (const priority of ['request', 'prerender'] as const) {
    await limiterUnderTest.run(() => Promise.reject(new Error('no')), { priority }).catch(() => {})
    assert.is(await limiterUnderTest.run(async () => 'next', { priority }), 'next')
  }
})
