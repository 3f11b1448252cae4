import type { Db, Trx } from '#db/client.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { assertNotBlocked } from '#features/moderation/visibility.server.ts'
import { findProvince } from '#features/places/provinces.server.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { isUuid } from '#lib/identifiers.ts'
import { FOLLOW_TEXTS, type FollowTarget } from './follows.ts'

/** Longer than any breed's or province's name. */
const MAX_ID_CHARS = 120

/**
 * The target as it is stored: a breed by its slug, a zone by the number of its province, whichever of its names was sent.
 * @throws AppError 404 for a member who is not in sight, an unknown breed or zone; 403 with a block between them; 422 for oneself
 */
export async function resolveTarget(trx: Trx, userId: string, { kind, id }: FollowTarget): Promise<FollowTarget> {
  if (kind === 'member') return { kind, id: await resolveMember(trx, userId, id) }
  const found =
    id.length > MAX_ID_CHARS ? undefined : kind === 'breed' ? await findBreed(trx, id) : findProvince(id)?.id
  if (found === undefined) throw notFound(FOLLOW_TEXTS[kind])
  return { kind, id: found }
}

/** The target as it would be stored, whether or not it is still there: what is gone can be left as well. */
export async function toStoredTarget(db: Db, { kind, id }: FollowTarget): Promise<FollowTarget> {
  if (kind === 'member' || id.length > MAX_ID_CHARS) return { kind, id }
  return { kind, id: (kind === 'breed' ? await findBreed(db, id) : findProvince(id)?.id) ?? id }
}

async function findBreed(db: Db, text: string): Promise<string | undefined> {
  const lookup = await lookUpBreed(db, text)
  return 'found' in lookup ? lookup.found : 'moved' in lookup ? lookup.moved : undefined
}

async function resolveMember(trx: Trx, userId: string, id: string): Promise<string> {
  if (!isUuid(id)) throw notFound(FOLLOW_TEXTS.member)
  if (id === userId) throw invalid(FOLLOW_TEXTS.self)
  // A hidden member, and one who waits for the deletion, has no profile. Before the block, which would tell that they still exist.
  const member = await trx.selectFrom('profiles').select('id').where('id', '=', id).executeTakeFirst()
  if (!member) throw notFound(FOLLOW_TEXTS.member)
  await assertNotBlocked(trx, userId, [id])
  return id
}
