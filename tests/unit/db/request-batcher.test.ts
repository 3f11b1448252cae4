import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RequestBatcher, type WaitingCall } from '#db/request-batcher.ts'

const grouped = suite('unit/db/request-batcher')

/** Answers each number with its double, and records the groups. */
function createCalls(
  options: { max?: number; timeoutMs?: number; runMs?: number; intervalMs?: number; earlySize?: number } = {},
) {
  const groups: number[][] = []
  const run = async (calls: readonly WaitingCall<number, number>[]) => {
    groups.push(calls.map(({ input }) => input))
    await wait(options.runMs ?? 5)
    for (const { input, resolve } of calls) resolve(input * 2)
  }
  const { max = 4, timeoutMs = 5000, intervalMs = 0, earlySize = max } = options
  return { groups, calls: new RequestBatcher({ max, timeoutMs, intervalMs, earlySize, run }) }
}

const outcome = (call: Promise<number>) => call.catch((error: Error & { code?: string }) => error.code ?? error.message)

grouped('calls of one moment are one group, and those that come while it runs the next', async () => {
  const { calls, groups } = createCalls()
  const first = [1, 2].map((n) => calls.call(n))
  await wait(2)
  const second = [3, 4, 5].map((n) => calls.call(n))
  assert.equal(await Promise.all([...first, ...second]), [2, 4, 6, 8, 10])
  assert.equal(groups, [
    [1, 2],
    [3, 4, 5],
  ])
  assert.is(await calls.call(6), 12)
})

grouped('a group has at most so many calls, in their order', async () => {
  const { calls, groups } = createCalls({ max: 2 })
  await Promise.all([1, 2, 3, 4, 5].map((n) => calls.call(n)))
  assert.equal(groups, [[1, 2], [3, 4], [5]])
})

grouped('groups begin some time apart, but for a first and a full one', async () => {
  const { calls, groups } = createCalls({ intervalMs: 200, runMs: 0 })
  const start = performance.now()
  await calls.call(1)
  assert.ok(performance.now() - start < 150)
  const second = [2, 3].map((n) => calls.call(n))
  await wait(20)
  assert.equal(groups, [[1]])
  await Promise.all(second)
  assert.ok(performance.now() - start >= 199)
  await Promise.all([4, 5, 6, 7].map((n) => calls.call(n)))
  assert.ok(performance.now() - start < 399)
  assert.equal(groups, [[1], [2, 3], [4, 5, 6, 7]])
})

grouped('enough calls begin a group before its time, also those that come one by one', async () => {
  const { calls, groups } = createCalls({ max: 4, earlySize: 2, intervalMs: 1000, runMs: 0 })
  await calls.call(1)
  const second = calls.call(2)
  await wait(20)
  assert.equal(groups, [[1]])
  await Promise.all([second, calls.call(3)])
  await Promise.all([4, 5, 6].map((n) => calls.call(n)))
  assert.equal(groups, [[1], [2, 3], [4, 5, 6]])
})

grouped('calls that a group did not answer fail with its error, and the next group runs', async () => {
  const calls = new RequestBatcher<number, number>({
    max: 2,
    timeoutMs: 5000,
    run: async ([first]) => {
      first!.resolve(first!.input)
      if (first!.input === 1) throw new Error('no')
    },
  })
  assert.equal(await Promise.all([1, 2, 3].map((n) => outcome(calls.call(n)))), [1, 'no', 3])
})

grouped('a call may be answered by what outlasts its group', async () => {
  let answer: (value: number) => void = () => {}
  const late = new Promise<number>((resolve) => (answer = resolve))
  const calls = new RequestBatcher<number, number>({
    max: 1,
    timeoutMs: 5000,
    run: async ([call]) => call!.resolve(call!.input === 1 ? late : call!.input),
  })
  const first = calls.call(1)
  assert.is(await calls.call(2), 2)
  answer(10)
  assert.is(await first, 10)
})

grouped('a call that waits too long for its group fails as busy, and is not run', async () => {
  const { calls, groups } = createCalls({ max: 1, timeoutMs: 20, runMs: 60 })
  assert.equal(await Promise.all([1, 2].map((n) => outcome(calls.call(n)))), [2, 'DATABASE_BUSY'])
  assert.is(await calls.call(3), 6)
  assert.equal(groups, [[1], [3]])
})

grouped('what shares a key with a group that runs waits for it, and nothing else does', async () => {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const calls = new RequestBatcher<string, string>({
    max: 2,
    concurrency: 2,
    timeoutMs: 5000,
    keyOf: (input) => input[0]!,
    run: async (group) => {
      groups.push(group.map(({ input }) => input))
      await new Promise<void>((resolve) => ends.push(resolve))
      for (const { input, resolve } of group) resolve(input)
    },
  })
  const first = ['a1', 'a2'].map((input) => calls.call(input))
  await wait(2)
  const next = ['a3', 'b1'].map((input) => calls.call(input))
  await wait(2)
  assert.equal(groups, [['a1', 'a2'], ['b1']])
  const last = calls.call('a4')
  ends[0]!()
  await Promise.all(first)
  await wait(2)
  assert.equal(groups.at(-1), ['a3', 'a4'])
  ends[1]!()
  ends[2]!()
  assert.equal(await Promise.all([...next, last]), ['a3', 'b1', 'a4'])
})

grouped.run()
