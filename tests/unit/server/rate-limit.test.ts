import { AppError } from '#lib/errors.ts'
import { countCallers, limit, limitAmount, limitSuccessful, logUnavailable } from '#server/limits/rate-limit.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const rate = suite('unit/server/rate-limit')

const status = (promise: Promise<unknown>) => promise.then(() => 200).catch((error: AppError) => error.status)

rate('limits each caller separately and says when to retry', async () => {
  for (let i = 0; i < 3; i++) assert.is(await status(limit('apart', 'ana', 3, 60)), 200)
  const refusal = (await limit('apart', 'ana', 3, 60).catch((error: unknown) => error)) as AppError
  assert.is(refusal.status, 429)
  assert.ok(refusal.retryAfter! > 0 && refusal.retryAfter! <= 60)
  assert.is(await status(limit('apart', 'luis', 3, 60)), 200)
})

rate('limits that cannot be counted are a line for each reason and minute, however many calls meet it', () => {
  using lines = captureConsole()
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  for (let n = 0; n < 400; n++) logUnavailable(full, 1000 + n)
  logUnavailable(Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 1400)
  logUnavailable(full, 1500)
  logUnavailable(full, 61_000)
  logUnavailable(full, 62_000)
  assert.equal(lines, [
    'perrario · los límites no se pueden contar (53100)',
    'perrario · los límites no se pueden contar (ECONNREFUSED) · 399 más sin línea',
    'perrario · los límites no se pueden contar (53100) · 1 más sin línea',
  ])
})

rate('setting the clock back a day does not extend the wait', async () => {
  const { now } = Date
  for (let i = 0; i < 3; i++) await limit('clock', 'ana', 3, 60)
  try {
    Date.now = () => now() - 86_400_000
    const refusal = (await limit('clock', 'ana', 3, 60).catch((error: unknown) => error)) as AppError
    assert.equal([refusal.status, refusal.retryAfter], [429, 60])
  } finally {
    Date.now = now
  }
})

rate('a flood from new networks takes bounded memory and keeps the counts of earlier callers', async () => {
  await limit('flood', 'ana', 2, 600)
  for (let i = 0; i < 70_000; i++) await limit('flood', `2001:db8:${i.toString(16)}::/64`, 2, 600).catch(() => {})
  const held = countCallers('flood')
  assert.ok(held >= 50_000 && held <= 50_000 + 4096, String(held))
  assert.is(await status(limit('flood', 'ana', 2, 600)), 200)
  assert.is(await status(limit('flood', 'ana', 2, 600)), 429)
})

rate('the networks of one IPv6 site share four times the limit of one, however many they are', async () => {
  const network = (site: number, n: number) => `2001:db8:${site}:${n.toString(16)}::/64`
  const takers: [name: string, take: (who: string) => Promise<unknown>][] = [
    ['limit', (who) => limit('site limit', who, 5, 60)],
    ['amount', (who) => limitAmount('site amount', who, 100, 500, 60)],
    ['successful', (who) => limitSuccessful('site successful', who, 5, 60)(nothing)],
  ]
  for (const [name, take] of takers) {
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) statuses.push(await status(take(network(1, n))))
    assert.is(statuses.filter((each) => each === 200).length, 20, name)
    assert.is(await status(take(network(2, 0))), 200, `${name}: another site`)
    // IPv4 addresses that lie beside each other are no site.
    for (let n = 0; n < 60; n++) assert.is(await status(take(`192.0.2.${n}`)), 200, name)
  }
  // What came to nothing is given back to the network and to the site.
  const admit = (n: number) => limitSuccessful('site failures', network(3, n), 1, 60)
  for (let n = 0; n < 20; n++) assert.is(await status(admit(n)(fails)), 422)
  for (let n = 0; n < 4; n++) assert.is(await status(admit(n)(nothing)), 200)
  assert.is(await status(admit(5)(nothing)), 429)
  assert.is(await status(admit(5)(nothing)), 429, 'a refusal takes nothing of the network, and the site stays used up')
})

const nothing = async () => {}
const fails = async () => {
  throw new AppError(422, 'La foto no se lee.')
}

rate('a limit of successes counts neither failures, nor empty results, nor refusals', async () => {
  const admit = limitSuccessful('done', 'ana', 2, 60, 'Ya van dos.')
  for (let i = 0; i < 5; i++) assert.is(await status(admit(fails)), 422)
  for (let i = 0; i < 5; i++)
    assert.is(
      await admit(
        async () => 'same',
        (said) => said !== 'same',
      ),
      'same',
    )
  for (let i = 0; i < 2; i++) assert.is(await status(admit(nothing)), 200)
  let wasRun = false
  const refusal = (await admit(async () => void (wasRun = true)).catch((error: unknown) => error)) as AppError
  assert.equal([refusal.status, refusal.message, wasRun], [429, 'Ya van dos.', false])
  assert.ok(refusal.retryAfter! > 0 && refusal.retryAfter! <= 60)
  assert.is(await status(limitSuccessful('done', 'luis', 2, 60)(nothing)), 200)
})

rate('running actions count towards the limit: no more pass in parallel than in sequence', async () => {
  const admit = limitSuccessful('at once', 'ana', 3, 60)
  let end!: (isDone: boolean) => void
  const ending = new Promise<boolean>((done) => (end = done))
  const wait = () => ending.then((isDone) => (isDone ? undefined : fails()))
  const all = Promise.all(Array.from({ length: 10 }, () => status(admit(wait))))
  end(false)
  assert.equal((await all).toSorted(), [422, 422, 422, 429, 429, 429, 429, 429, 429, 429])
  // All of them came to nothing, and those refused meanwhile took nothing either.
  for (let i = 0; i < 3; i++) assert.is(await status(admit(nothing)), 200)
  assert.is(await status(admit(nothing)), 429)
})

rate('an action that fails after its window gives no additional attempt', async () => {
  const admit = limitSuccessful('late', 'ana', 1, 1)
  const late = async () => {
    await new Promise((done) => setTimeout(done, 1200))
    return fails()
  }
  assert.is(await status(admit(late)), 422)
  assert.is(await status(admit(nothing)), 200)
  assert.is(await status(admit(nothing)), 429)
})
