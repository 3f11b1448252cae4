import { AppError } from '#lib/errors.ts'
import {
  countRefusal,
  countRefusals,
  HONEYPOT_OFFENCE,
  recordOffence,
  suspicionLeft,
} from '#server/limits/network-conduct.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { assert, suite } from '#tests/support/suites.ts'

const conduct = suite('unit/server/network-conduct')

const HALF_AN_HOUR = 30 * 60_000
const isSuspect = async (network: string) => (await suspicionLeft(network)) > 0
async function offend(network: string, times: number, cost = 1) {
  for (let i = 0; i < times; i++) await recordOffence(network, cost)
}

conduct('five offences in ten minutes are overlooked, the sixth makes a network suspect for half an hour', async () => {
  await offend('192.0.2.1', 5)
  assert.is(await suspicionLeft('192.0.2.1'), 0)
  await offend('192.0.2.1', 1)
  const left = await suspicionLeft('192.0.2.1')
  assert.ok(left > HALF_AN_HOUR - 60_000 && left <= HALF_AN_HOUR, String(left))
  assert.is(await suspicionLeft('192.0.2.2'), 0)
})

conduct('later offences do not lengthen it, and asking takes nothing', async () => {
  await offend('192.0.2.3', 6)
  const before = await suspicionLeft('192.0.2.3')
  await offend('192.0.2.3', 20)
  for (let i = 0; i < 5; i++) assert.ok((await suspicionLeft('192.0.2.3')) <= before)
  for (let i = 0; i < 5; i++) assert.is(await suspicionLeft('192.0.2.4'), 0)
})

conduct('it ends by itself', async () => {
  await offend('192.0.2.5', 6)
  const { now } = Date
  try {
    Date.now = () => now() + HALF_AN_HOUR + 1000
    assert.is(await suspicionLeft('192.0.2.5'), 0)
  } finally {
    Date.now = now
  }
})

conduct('three filled honeypots are enough', async () => {
  await offend('192.0.2.6', 2, HONEYPOT_OFFENCE)
  assert.not.ok(await isSuspect('192.0.2.6'))
  await offend('192.0.2.6', 1, HONEYPOT_OFFENCE)
  assert.ok(await isSuspect('192.0.2.6'))
})

conduct('the networks of an IPv6 site are one', async () => {
  for (let n = 0; n < 6; n++) await recordOffence(`2001:db8:5:${n}::/64`)
  assert.ok(await isSuspect('2001:db8:5:ffff::/64'))
  assert.not.ok(await isSuspect('2001:db8:6:0::/64'))
})

conduct('refusals by a limit count; what is admitted and other errors do not', async () => {
  const network = '192.0.2.7'
  const apply = () => countRefusal(network, () => limit('conduct', network, 2, 60))
  const status = (work: Promise<unknown>) => work.then(() => 200).catch((error: AppError) => error.status)
  for (let i = 0; i < 2; i++) assert.is(await status(apply()), 200)
  for (let i = 0; i < 5; i++) assert.is(await status(apply()), 429)
  const fails = async () => {
    throw new AppError(422, 'No.')
  }
  for (let i = 0; i < 10; i++) assert.is(await status(countRefusal(network, fails)), 422)
  assert.not.ok(await isSuspect(network))
  assert.is(await status(apply()), 429)
  assert.ok(await isSuspect(network))
})

conduct('a quota’s refusal counts, not one that the admitted action meets', async () => {
  const network = '192.0.2.8'
  const quota = countRefusals(network, limitSuccessful('conduct-quota', network, 1, 60))
  const status = (work: Promise<unknown>) => work.then(() => 200).catch((error: AppError) => error.status)
  const crowded = async () => {
    throw new AppError(429, 'El sitio entero.')
  }
  for (let i = 0; i < 10; i++) assert.is(await status(quota(crowded)), 429)
  assert.not.ok(await isSuspect(network))
  const nothing = async () => {}
  assert.is(await status(quota(nothing)), 200)
  for (let i = 0; i < 6; i++) assert.is(await status(quota(nothing)), 429)
  assert.ok(await isSuspect(network))
})
