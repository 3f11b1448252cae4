import { createHmac, randomBytes } from 'node:crypto'
import type { Trx } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'

/**
 * Hashes the network a report was sent from, under a random key of the day: reports of one day can be matched by network,
 * while the address itself (for IPv6 its /48) is never stored. The key is deleted after its day, so the hashes cannot be
 * reversed by trying addresses.
 * @param network IP address as `clientNetwork` returns it
 */
export async function hashReportOrigin(trx: Trx, network: string, now = Date.now()): Promise<string> {
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
