import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { assertNotDisputed } from '#features/auth/dispute/dispute.server.ts'
import { listConfirmedAddresses } from '#features/auth/email-change/confirmed-addresses.server.ts'
import { endSessionsOf } from '#features/auth/users.server.ts'
import type { AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { sessionEnded } from '#lib/errors.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { DAY_MS } from '#lib/time.ts'
import { assertMayDelete } from '../erase.server.ts'
import { findDeletion } from './deletion-state.server.ts'
import { hide } from '#features/moderation/content.server.ts'
import { publishHiddenNotifications } from '#features/notifications/notifications.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { hideAccount } from './hide-account.server.ts'

/** What is to be mailed of a deletion that has begun to wait. */
export interface RequestedDeletion {
  alias: string
  dueAt: number
  /** The secret of the link that undoes it. */
  token: string
  addresses: string[]
}

/**
 * Takes the member's account with everything of theirs out of sight, as if it were erased, and records that it is to be erased in
 * UNDO_DAYS. One transaction ends their sessions, hides the profile and lets them write no more; the rest follows in batches, which
 * `runDueDeletions` continues where a crash interrupts them.
 * @param input the choice for the dogs, and the alias typed as confirmation
 * @param sendMail mails the link that undoes it: at once, whatever the batches do
 * @throws AppError 409 in dispute; 401, also where another request has begun it; 403 where they have not proved lately who
 *   they are; 422 for an alias that is not theirs
 */
export async function requestDeletion(
  db: Db,
  requester: AuthenticatedMember | null,
  input: { dogs: DogsChoice; alias: string },
  sendMail: (requested: RequestedDeletion) => Promise<void>,
  now = Date.now(),
): Promise<void> {
  const { id } = await assertMayDelete(db, requester, input.alias)
  const dueAt = now + UNDO_DAYS * DAY_MS
  const requested = await transact(db, async (trx) => {
    const erasure = trx.selectFrom('account_erasures').select('user_id').where('user_id', '=', id)
    const user = await trx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
    if (!user || (await findDeletion(trx, id)) || (await erasure.executeTakeFirst())) throw sessionEnded()
    await assertNotDisputed(trx, id, now)
    await trx
      .insertInto('account_deletions')
      .values({ user_id: id, dogs: input.dogs, state: 'hiding', requested_at: now, due_at: dueAt })
      .execute()
    const token = await issueSecret(trx, 'undo-deletion', { user_id: id }, now)
    await logSecurityEvent(trx, id, 'deletion-requested', {}, now)
    const hidden = await hide(trx, 'profile', id, 'deletion')
    await publishHiddenNotifications(trx, 'actor_id', id)
    const alias = hidden?.before === 0 ? hidden.row.alias : FALLBACK_ALIAS
    await endSessionsOf(trx, id)
    return { alias, dueAt, token, addresses: await listConfirmedAddresses(trx, id, now) }
  })
  await Promise.all([sendMail(requested), hideAccount(db, id)])
}
