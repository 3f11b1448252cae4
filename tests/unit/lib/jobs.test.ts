import { setTimeout as sleep } from 'node:timers/promises'
import { runEvery, startRecurring } from '#lib/jobs.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const jobs = suite<{ logged: ReturnType<typeof captureConsole> }>('unit/lib/jobs')
jobs.before.each((t) => void (t.logged = captureConsole()))
jobs.after.each(({ logged }) => logged[Symbol.dispose]())

/** Work that ends when the test says so. */
function openWork() {
  const runs: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = []
  const work = (signal: AbortSignal) =>
    new Promise<void>((end, fail) => {
      runs.push({ end, fail, signal })
    })
  return { runs, work }
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await sleep(1)
}

jobs('runEvery never runs twice at the same time, and goes on after a failure', async ({ logged }) => {
  const { runs, work } = openWork()
  const job = runEvery({ intervalMs: 1 }, 'Next time:', work)
  await until(() => runs.length === 1)
  await sleep(20)
  assert.is(runs.length, 1, 'the first run has not ended')
  runs[0]!.fail(new Error('busy'))
  await until(() => runs.length === 2)
  assert.equal(logged, ['Next time: Error: busy'])
  runs[1]!.end()
  await until(() => runs.length === 3)
  runs[2]!.end()
  await job.close()
})

jobs('runEvery begins immediately, after a delay of its own, or after an interval', async () => {
  const starts: string[] = []
  const count = (name: string) => async () => void starts.push(name)
  const immediate = runEvery({ intervalMs: 60_000, delayMs: 0 }, '', count('immediate'))
  assert.equal(starts, ['immediate'])
  const delayed = runEvery({ intervalMs: 60_000, delayMs: 5 }, '', count('delayed'))
  const later = runEvery({ intervalMs: 60_000 }, '', count('later'))
  await until(() => starts.length === 2)
  assert.equal(starts, ['immediate', 'delayed'])
  await Promise.all([immediate.close(), delayed.close(), later.close()])
})

jobs('of a list one that hangs or fails holds up no other, and each knows its first run', async ({ logged }) => {
  const firsts: boolean[] = []
  const entry = { intervalMs: 2, delayMs: 0, failure: 'Next time:' }
  const hang = (signal: AbortSignal) => new Promise((end) => signal.addEventListener('abort', end))
  const fail = () => Promise.reject(new Error('busy'))
  const count = async (_: AbortSignal, isFirst: boolean) => firsts.push(isFirst)
  const job = startRecurring([hang, fail, count].map((run) => ({ ...entry, run })))
  await until(() => firsts.length > 2 && logged.length > 2)
  await job.close()
  assert.equal(firsts.slice(0, 3), [true, false, false])
})

jobs('close aborts the run under way, waits for it and starts no other', async ({ logged }) => {
  const { runs, work } = openWork()
  const job = runEvery({ intervalMs: 1, delayMs: 0 }, 'Next time:', work)
  const [run] = runs
  let isClosed = false
  const closed = job.close().then(() => (isClosed = true))
  assert.is(run!.signal.aborted, true)
  await sleep(5)
  assert.is(isClosed, false)
  run!.fail(new Error('stopped'))
  await closed
  await sleep(5)
  assert.is(runs.length, 1)
  assert.equal(logged, [], 'a run that close stopped has not failed')
})
