import { CpuThrottle } from '#lib/cpu-throttle.ts'
import { assert, suite } from '#tests/support/suites.ts'

const throttling = suite('unit/lib/cpu-throttle')

throttling('runs one step in each turn of the event loop, however many are ready', async () => {
  const nextSlot = new CpuThrottle(1).lane()
  const done: string[] = []
  // What a request would wait for comes between any two.
  const request = () => void (done.length < 6 && (done.push('request'), setImmediate(request)))
  setImmediate(request)
  const step = async () => {
    await nextSlot()
    done.push('step')
  }
  await Promise.all([step(), step(), step()])
  assert.equal(done.slice(0, 5), ['request', 'step', 'request', 'step', 'request'])
})

throttling('kinds of work take turns', async () => {
  const throttle = new CpuThrottle(1)
  const done: string[] = []
  const run = async (nextSlot: () => Promise<void>, name: string) => {
    await nextSlot()
    done.push(name)
  }
  const [pushes, bells] = [throttle.lane(), throttle.lane()]
  await Promise.all([run(pushes, 'push'), run(pushes, 'push'), run(bells, 'bell'), run(bells, 'bell')])
  assert.equal(done, ['push', 'bell', 'push', 'bell'])
})

throttling('rests in proportion to the time that steps take', async () => {
  const nextSlot = new CpuThrottle(0.5).lane()
  const rests: number[] = []
  for (let n = 0; n < 4; n++) {
    const asked = performance.now()
    await nextSlot()
    const start = performance.now()
    rests.push(start - asked)
    while (performance.now() - start < 20);
  }
  const [first, ...others] = rests
  assert.ok(first! < 20, `${first}`)
  for (const rest of others) assert.ok(rest >= 19, `${rest}`)
})
