import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { setVerified } from '#features/profiles/verified-badge.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { foldText } from '#lib/text/text.ts'
import { ADMIN_PAGE_SIZE, ADMIN_TEXTS, type AdminMember, type AdminPage, type VerifiedInput } from './admin.ts'

const ORDER_NEWEST = 'admin-newest'
const ORDER_BY_ALIAS = 'admin-alias'
const ORDER_BY_EMAIL = 'admin-email'

/** Appended to a prefix, sorts after every text that begins with the prefix. */
const PREFIX_END = '\u{10ffff}'

const MEMBER_COLUMNS = [
  'p.id',
  'p.alias',
  'p.alias_key',
  'p.emoji',
  'p.verified',
  'p.created_at',
  'p.dogs_count',
  'p.breeds_count',
  'p.likes_count',
  'u.email',
] as const

const selectMembers = (db: Db, limit: number) =>
  db.selectFrom('profiles as p').innerJoin('users as u', 'u.id', 'p.id').select(MEMBER_COLUMNS).limit(limit)

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

const toMember = (row: MemberRow): AdminMember => ({
  id: row.id,
  alias: row.alias,
  emoji: row.emoji,
  verified: row.verified === 1,
  email: row.email,
  created_at: row.created_at,
  dogs: row.dogs_count,
  breeds: row.breeds_count,
  likes: row.likes_count,
})

/**
 * A page of members: the newest first, or with a search those whose alias begins with it, then those whose e-mail address
 * does. Each list is read in the order of one index (profiles_created, alias_key, email).
 * @throws AppError 401, 403; 422 for an invalid cursor
 */
export async function listMembers(
  db: Db,
  requester: AdminRequester,
  { q = '', cursor, limit = ADMIN_PAGE_SIZE }: { q?: string; cursor?: string | undefined; limit?: number } = {},
): Promise<AdminPage<AdminMember>> {
  assertAdmin(requester)
  const search = q.trim()
  return search ? searchMembers(db, search, cursor, limit) : listNewest(db, cursor, limit)
}

async function listNewest(db: Db, cursor: string | undefined, limit: number): Promise<AdminPage<AdminMember>> {
  const at = cursor === undefined ? undefined : decodeCursor(cursor, ORDER_NEWEST)
  let query = selectMembers(db, limit + 1)
  if (at) query = query.where((eb) => eb(eb.refTuple('p.created_at', 'p.id'), '<', eb.tuple(at.value, at.id)))
  const rows = await query.orderBy('p.created_at', 'desc').orderBy('p.id', 'desc').execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit).map(toMember),
    nextCursor: last ? encodeCursor({ order: ORDER_NEWEST, value: last.created_at, id: last.id }) : null,
  }
}

async function searchMembers(
  db: Db,
  q: string,
  cursor: string | undefined,
  limit: number,
): Promise<AdminPage<AdminMember>> {
  const alias = aliasKey(q)
  const email = foldText(q)
  const at = cursor === undefined ? undefined : readSearchCursor(cursor)
  const byAlias = at?.order === ORDER_BY_EMAIL ? [] : await findByAliasPrefix(db, alias, at?.id, limit + 1)
  const remaining = limit + 1 - byAlias.length
  const after = at?.order === ORDER_BY_EMAIL ? at.id : undefined
  const byEmail = remaining > 0 ? await findByEmailPrefix(db, email, alias, after, remaining) : []
  const rows = [...byAlias, ...byEmail]
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const order = limit - 1 < byAlias.length ? ORDER_BY_ALIAS : ORDER_BY_EMAIL
  return {
    rows: rows.slice(0, limit).map(toMember),
    // An e-mail address must not appear in the page's address: the cursor holds the id, from which it is looked up.
    nextCursor: last
      ? encodeCursor({ order, value: 0, id: order === ORDER_BY_ALIAS ? last.alias_key : last.id })
      : null,
  }
}

function readSearchCursor(text: string) {
  try {
    return decodeCursor(text, ORDER_BY_EMAIL)
  } catch {
    return decodeCursor(text, ORDER_BY_ALIAS)
  }
}

const findByAliasPrefix = (db: Db, prefix: string, after: string | undefined, limit: number): Promise<MemberRow[]> =>
  selectMembers(db, limit)
    .where('p.alias_key', after === undefined ? '>=' : '>', after ?? prefix)
    .where('p.alias_key', '<', prefix + PREFIX_END)
    .orderBy('p.alias_key')
    .execute()

async function findByEmailPrefix(db: Db, prefix: string, alias: string, afterId: string | undefined, limit: number) {
  const last =
    afterId && (await db.selectFrom('users').select('email').where('id', '=', afterId).executeTakeFirst())?.email
  return db
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(MEMBER_COLUMNS)
    .where('u.email', last ? '>' : '>=', last || prefix)
    .where('u.email', '<', prefix + PREFIX_END)
    .where((eb) => eb.or([eb('p.alias_key', '<', alias), eb('p.alias_key', '>=', alias + PREFIX_END)]))
    .orderBy('u.email')
    .limit(limit)
    .execute()
}

const memberNotFound = () => notFound('Este usuario ya no existe.')

/**
 * Sets or removes a member's verified badge.
 * @throws AppError 401, 403, 404; 409 where the member has another alias than the one to verify
 */
export async function verifyMember(
  db: Db,
  requester: AdminRequester,
  id: string,
  { verified, alias }: VerifiedInput,
): Promise<void> {
  const adminId = assertAdmin(requester)
  await transact(db, async (trx) => {
    const profile = await trx.selectFrom('profiles').select('alias').where('id', '=', id).executeTakeFirst()
    if (!profile) throw memberNotFound()
    if (verified && profile.alias !== alias) throw new AppError(409, ADMIN_TEXTS.renamed)
    await setVerified(trx, id, verified)
    await logAdminAction(trx, { adminId, action: verified ? 'verify' : 'unverify', target: { kind: 'member', id } })
  })
}

/** Sends a message to a member, as a notification. @throws AppError 401, 403, 404 */
export async function sendMemberMessage(
  db: Db,
  requester: AdminRequester,
  id: string,
  content: string,
  now = Date.now(),
): Promise<void> {
  const actorId = assertAdmin(requester)
  await transact(db, async (trx) => {
    const member = await trx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
    if (!member) throw memberNotFound()
    const recordId = await notify(trx, 'word', { userId: id, content, actorId }, now)
    await logAdminAction(trx, { adminId: actorId, action: 'message', target: { kind: 'member', id }, recordId }, now)
  })
}
