import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '#lib/errors.ts'
import { callersOf, limit } from '#server/rate.ts'

const rate = suite('rate')

const status = (promise: Promise<void>) => promise.then(() => 200).catch((error: AppError) => error.status)

rate('counts each caller apart and says when to come back', async () => {
  for (let i = 0; i < 3; i++) assert.is(await status(limit('apart', 'ana', 3, 60)), 200)
  const refusal = (await limit('apart', 'ana', 3, 60).catch((error: unknown) => error)) as AppError
  assert.is(refusal.status, 429)
  assert.ok(refusal.retryAfter! > 0 && refusal.retryAfter! <= 60)
  assert.is(await status(limit('apart', 'luis', 3, 60)), 200)
})

rate('a flood from ever new networks takes bounded memory, and who came before is still told apart', async () => {
  await limit('flood', 'ana', 2, 600)
  for (let i = 0; i < 70_000; i++) await limit('flood', `2001:db8:${i.toString(16)}::/64`, 2, 600).catch(() => {})
  const held = callersOf('flood')
  assert.ok(held >= 50_000 && held <= 50_000 + 4096, String(held))
  assert.is(await status(limit('flood', 'ana', 2, 600)), 200)
  assert.is(await status(limit('flood', 'ana', 2, 600)), 429)
})

rate.run()
