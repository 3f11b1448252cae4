import { createHmac, randomBytes } from 'node:crypto'
import type { Trx } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { DAY_MS } from '#lib/time.ts'
import { NETWORK_DAYS } from './refusals.ts'

/** The days whose keys are kept, today first. */
const keptDays = (now: number): number[] =>
  Array.from({ length: NETWORK_DAYS }, (_, ago) => madridDay(now - ago * DAY_MS))

const digest = (key: string, network: string): string =>
  createHmac('sha256', key).update(toSitePrefix(network)).digest('base64url').slice(0, 22)

/**
 * The sender's network (of IPv6 its /48) under the random keys of today and of the two days before, today's first: so that a refused
 * network is known again past midnight. Keys go after that, and no digest can be reversed by trying addresses.
 * @param network IP address as `clientNetwork` returns it
 */
export async function hashNetwork(trx: Trx, network: string, now = Date.now()): Promise<[string, ...string[]]> {
  const days = keptDays(now)
  const today = days[0]!
  await trx.deleteFrom('sighting_keys').where('day', 'not in', days).execute()
  await trx
    .insertInto('sighting_keys')
    .values({ day: today, key: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const keys = await trx.selectFrom('sighting_keys').selectAll().where('day', 'in', days).execute()
  const others = keys.filter(({ day }) => day !== today).map(({ key }) => digest(key, network))
  return [digest(keys.find(({ day }) => day === today)!.key, network), ...others]
}
