import type { Trx } from '#db/client.ts'
import { HOUR_MS } from '#lib/time.ts'
import { REFUSING_OWNERS, REVIEW_HOURS } from './refusals.ts'
import { hashNetwork } from './sender-networks.server.ts'

/** Who sent a sighting or a found notice. */
export interface Sender {
  memberId: string | null
  /** Digests of the network under the keys that are kept. */
  networks: readonly string[]
}

/**
 * Whether what this sender sends now goes to the admin first: three owners, from different networks, have refused sightings or notices of the
 * network or the member, or the admin has one, and the last refusal is less than a day ago.
 */
export async function needsReview(trx: Trx, { memberId, networks }: Sender, now: number): Promise<boolean> {
  const refusals = await trx
    .selectFrom('sighting_refusals')
    .select(['owner_id', 'owner_network', 'refused_at'])
    .where((eb) =>
      eb.or([eb('network', 'in', networks), ...(memberId === null ? [] : [eb('member_id', '=', memberId)])]),
    )
    .execute()
  const since = now - REVIEW_HOURS * HOUR_MS
  if (refusals.some(({ owner_id, refused_at }) => owner_id === null && refused_at > since)) return true
  // An owner counts once whichever networks they refuse from, and a network once whichever accounts: they may be one person's.
  const byOwner = new Map(
    refusals.flatMap(({ owner_id, owner_network }) =>
      owner_id === null ? [] : [[owner_id, owner_network ?? owner_id]],
    ),
  )
  return new Set(byOwner.values()).size >= REFUSING_OWNERS && refusals.some(({ refused_at }) => refused_at > since)
}

/**
 * Notes that a sighting or a notice was refused, or reported.
 * @param refused `id`: a sighting's own, or that of `noticeRefusalId`
 * @param owner who refuses it, and their IP address, which is stored under the day's key; null: the admin
 */
export async function addRefusal(
  trx: Trx,
  refused: { id: string; network: string | null; member_id: string | null },
  owner: { userId: string; network: string } | null,
  now: number,
): Promise<void> {
  const { id, network, member_id } = refused
  const owner_network = owner && (await nameOwnerNetwork(trx, owner.network, now))
  const by = { owner_id: owner?.userId ?? null, owner_network, refused_at: now }
  await trx
    .insertInto('sighting_refusals')
    .values({ sighting_id: id, ...by, network, member_id })
    .onConflict((conflict) => conflict.column('sighting_id').doUpdateSet(by))
    .execute()
}

/** The owner's network under the key of today, which its earlier refusals take over: a network has one name on every day. */
async function nameOwnerNetwork(trx: Trx, network: string, now: number): Promise<string> {
  const [today, ...earlier] = await hashNetwork(trx, network, now)
  if (earlier.length > 0)
    await trx
      .updateTable('sighting_refusals')
      .set({ owner_network: today })
      .where('owner_network', 'in', earlier)
      .execute()
  return today
}

/** A sighting has one owner who refuses it; of a notice several do. @param ownerId null: the admin */
export const noticeRefusalId = (noticeId: string, ownerId: string | null): string => `${noticeId}:${ownerId ?? 'admin'}`

export async function removeRefusals(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('sighting_refusals').where('sighting_id', 'in', ids).execute()
}
