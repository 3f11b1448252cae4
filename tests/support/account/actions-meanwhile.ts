import * as assert from 'uvu/assert'
import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { answerOwnershipRequest } from '#features/dogs/ownership/ownership.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { autoHideTarget, submitReport } from '#features/reports/reports.server.ts'
import { toProblem } from '#server/problem.ts'
import { ADMIN_EMAIL, decide, type Leaving } from '#tests/support/account/leaving-member.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'

// What others, and the member, do while an account is erased, taken out of sight, or brought back.

export type Action = (leaving: Leaving) => Promise<unknown>

const addOwn =
  (description: string): Action =>
  async ({ db, dataDir, ana }) =>
    addDog(db, dataDir, {
      input: dogSchema.parse({ name: 'Zqtoby', breed: 'Beagle', relationship: 'owner', description }),
      uploads: [await photo()],
      userId: ana.id,
      idempotency: { sender: ana.id, key: 'q'.repeat(40) },
    })

const reportByCrowd =
  (kind: 'comment' | 'dog', words: string, idOf: (leaving: Leaving) => string): Action =>
  async (leaving) => {
    const id = idOf(leaving)
    for (const [at, each] of leaving.crowd.entries())
      await submitReport(leaving.db, each, { kind, id, reason: 'otra', words }, `198.51.${at}.7`)
    await autoHideTarget(leaving.db, { kind, id }, ADMIN_EMAIL)
  }

const appeal =
  (who: 'ana' | 'luis'): Action =>
  async (leaving) => {
    const { id } = await leaving.db
      .selectFrom('decision_people')
      .select('decision_id as id')
      .where('user_id', '=', leaving[who].id)
      .executeTakeFirst()
      .then((found) => found ?? { id: 'none' })
    await submitAppeal(leaving.db, leaving[who], id, 'zqsays', ADMIN_EMAIL)
  }

/** Each group is done at once, one action after the other; those that the site refuses by then leave nothing either. */
export const ACTIONS: Record<string, Action[]> = {
  'the admin restores': [
    (t) => decide(t, 'dog', t.paco, 'restore'),
    (t) => decide(t, 'dog', t.hiddenShared, 'restore'),
    (t) => decide(t, 'photo', t.hiddenPhoto, 'restore'),
    (t) => decide(t, 'comment', t.heldComment, 'restore'),
    (t) => decide(t, 'comment', t.hiddenComment, 'restore'),
    (t) => decide(t, 'profile', t.ana.id, 'restore'),
    ({ db, luis, hiddenComment: id }) =>
      submitReport(db, luis, { kind: 'comment', id, reason: 'otra', words: 'zqabout' }, 'x'),
  ],
  'the admin hides and deletes': [
    (t) => decide(t, 'dog', t.toby, 'hide', 'Porque sí.'),
    (t) => decide(t, 'dog', t.paco, 'delete', 'Porque sí.'),
    (t) => decide(t, 'dog', t.shared, 'hide', 'Porque sí.'),
    (t) => decide(t, 'comment', t.comment, 'hide', 'zqreason'),
    (t) => decide(t, 'comment', t.heldComment, 'delete', 'zqreason'),
  ],
  'the admin warns, dismisses, notes, bans, hides and restores': [
    (t) => decide(t, 'dog', t.toby, 'warn', 'Porque sí.'),
    (t) => decide(t, 'dog', t.luna, 'dismiss'),
    (t) => decide(t, 'comment', t.comment, 'warn', 'zqreason'),
    (t) => decide(t, 'comment', t.comment, 'dismiss'),
    (t) => decide(t, 'comment', t.heldComment, 'note', 'zqreason'),
    (t) => decide(t, 'comment', t.heldComment, 'ban', 'zqreason'),
    (t) => decide(t, 'dog', t.toby, 'hide', 'Porque sí.'),
    (t) => decide(t, 'dog', t.toby, 'restore'),
  ],
  'other members report, answer, comment, like and block': [
    reportByCrowd('comment', 'zqabout', ({ comment }) => comment),
    ({ db, luis, requested, ana }) => answerOwnershipRequest(db, luis, requested, ana.id, true),
    ({ db, luis, toby }) => addComment(db, luis, toby, 'Otra vez'),
    ({ db, eva, toby }) => like(db, eva, toby),
    reportByCrowd('dog', '', ({ toby }) => toby),
    appeal('luis'),
    ({ db, luis, ana }) => blockMember(db, luis, ana.id),
  ],
  'they go on writing': [
    addOwn('zqdescription'),
    addOwn('Se vende por 300 euros, zqsale'),
    ({ db, ana, visitorsDog: { id, token } }) => claimDog(db, ana.id, id, { ownershipType: 'owner', token }),
    ({ db, ana, toby }) => updateDog(db, ana, toby, { description: 'Se vende por 300 euros, zqsale' }),
    ({ db, ana, luna }) => addComment(db, ana, luna, 'Más zqcomment'),
    ({ db, ana, luna }) => unlike(db, ana, luna),
    ({ db, ana, comment }) => deleteComment(db, ana, comment),
    appeal('ana'),
    ({ db, ana }) => ensureProfile(db, ana.id),
  ],
}

/** Refused or done; what no client causes fails the test. */
export async function attemptAll(actions: readonly Action[], leaving: Leaving): Promise<void> {
  for (const action of actions)
    try {
      await action(leaving)
    } catch (error) {
      assert.ok(toProblem(error).status < 500, String(error))
    }
}
