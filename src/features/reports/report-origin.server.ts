import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'

/**
 * Where a report was sent from, as a hash under a key drawn by lot for the day: two of one day can be told to come from
 * one connection, while the address itself (of IPv6 its /48) is written nowhere. The key goes with the day, and then
 * nobody can try addresses out.
 * @param network as `clientIp` gives it
 */
export async function hashReportOrigin(trx: Db, network: string, now = Date.now()): Promise<string> {
  const day = madridDay(now)
  await trx.deleteFrom('report_keys').where('day', '!=', day).execute()
  await trx
    .insertInto('report_keys')
    .values({ day, key: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key } = await trx.selectFrom('report_keys').select('key').where('day', '=', day).executeTakeFirstOrThrow()
  return createHmac('sha256', key).update(toSitePrefix(network)).digest('base64url').slice(0, 22)
}
