import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { requestDeletion } from '#features/account/deletion/request-deletion.server.ts'
import { restoreBySession } from '#features/account/deletion/restore-account.server.ts'
import { deleteAccount, eraseLeavingAccount } from '#features/account/erase.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { markAllRead } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { hideProfile, showProfile } from '#features/profiles/hidden-profiles.server.ts'
import { blockMember } from '#features/reports/blocks/block-member.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { closeLeftReports } from '#features/reports/retention.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { measureLongestTurn } from '#tests/support/load/longest-turn.ts'
import { type CurrentUser, dog, type Dog, member, seed, withRecentSignIn } from '#tests/support/seed.ts'
import { assert, type Db, suite } from '#tests/support/suites.ts'

// better-sqlite3 is synchronous: whatever one action does without giving up the event loop, everybody else waits for. Other
// people's rows pile up without bound, so no action may handle all of them at once.

const SMALL = 30
const LARGE = 10 * SMALL
/** The longest turn of a pile ten times as large may differ by this much: batches end at other rows. */
const MAX_GROWTH = 1.5

const ADMIN_EMAIL = 'admin@ejemplo.es'

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-turns-'))

interface Pile {
  db: Db
  /** Her dogs are each liked by Luis. */
  ana: CurrentUser
  luis: CurrentUser
  /** Ana's, with `size` comments of Luis', as many lines in Ana's bell, likes, and reports of it and its photo; so is Luis' profile. */
  toby: Dog
  /** Discovered by Ana; `size` members say that it is theirs. */
  found: { id: string }
  /** One of them. */
  claimant: CurrentUser
  admin: CurrentUser
}

const piles = new Map<number, Promise<{ bytes: Buffer } & Omit<Pile, 'db'>>>()

/** A copy of the pile of this size, which is made once. */
async function copyPile(size: number): Promise<Pile> {
  if (!piles.has(size))
    piles.set(
      size,
      createPile(size).then(({ db, ...rest }) => ({ bytes: sqliteOf(db).serialize(), ...rest })),
    )
  const { bytes, ...rest } = await piles.get(size)!
  return { db: sqliteDb(bytes), ...rest }
}

/** Rows of every kind around Ana and around Luis, `size` of each. */
async function createPile(size: number): Promise<Pile> {
  const db = sqliteDb()
  const [admin, ana, toby, luis] = await seed(
    db,
    member({ email: ADMIN_EMAIL }),
    member({ alias: 'Ana' }),
    dog({ name: 'Toby' }),
    member({ alias: 'Luis' }),
  )
  const [found] = await seed(db, dog({ owner_id: null, discoverer_id: ana.id }))
  let claimant = luis
  const report = (user: CurrentUser, kind: 'dog' | 'profile' | 'photo', id: string) =>
    submitReport(db, user, { kind, id, reason: 'otra', words: '' }, 'x')
  for (let i = 0; i < size; i++) {
    await addComment(db, luis, toby.id, `Qué guapo ${i}`)
    const [liked, liker] = await seed(db, dog({ owner_id: ana.id }), member())
    await like(db, luis, liked.id)
    await like(db, liker, toby.id)
    await requestOwnership(db, liker, found.id)
    await report(liker, 'dog', toby.id)
    await report(liker, 'profile', luis.id)
    await report(liker, 'photo', toby.images[0]!.url)
    claimant = liker
  }
  return { db, ana, luis, toby, found, claimant, admin }
}

/** The admin's decision on what was reported. */
const decide =
  (kind: 'dog' | 'profile', deed: DecisionInput['deed']): Action =>
  async ({ db, admin }) => {
    const { id } = await db.selectFrom('cases').select('id').where('kind', '=', kind).executeTakeFirstOrThrow()
    const asker = { user: admin, adminEmail: ADMIN_EMAIL }
    await applyCaseAction(db, dataDir, asker, id, { deed, reason: 'Porque sí.', days: null })
  }

type Action = (pile: Pile) => Promise<unknown>

const waitForDeletion = (db: Db, member: CurrentUser, dogs: 'delete' | 'keep') =>
  requestDeletion(db, withRecentSignIn(member), { dogs, alias: member.alias }, async () => {})

const ACTIONS: Record<string, Action> = {
  'delete the account of who wrote and liked': ({ db, luis }) =>
    deleteAccount(db, dataDir, withRecentSignIn(luis), { dogs: 'delete', alias: luis.alias }),
  'delete an account with its dogs': ({ db, ana }) =>
    deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs: 'delete', alias: ana.alias }),
  'delete an account without its dogs': ({ db, ana }) =>
    deleteAccount(db, dataDir, withRecentSignIn(ana), { dogs: 'keep', alias: ana.alias }),
  'let the account of who wrote and liked wait, and bring it back': async ({ db, luis }) => {
    await waitForDeletion(db, luis, 'delete')
    await restoreBySession(db, luis)
  },
  'let an account wait with its dogs, and bring it back': async ({ db, ana }) => {
    await waitForDeletion(db, ana, 'delete')
    await restoreBySession(db, ana)
  },
  'let an account wait without its dogs, and erase it': async ({ db, ana }) => {
    await waitForDeletion(db, ana, 'keep')
    await eraseLeavingAccount(db, dataDir, withRecentSignIn(ana))
  },
  'rename a dog': ({ db, ana, toby }) => updateDog(db, ana, toby.id, { name: 'Lobo' }),
  'move a dog to another breed': ({ db, ana, toby }) => updateDog(db, ana, toby.id, { breed: 'Caniche' }),
  'rename a member': ({ db, luis }) => updateProfile(db, luis, { alias: 'Lucas', emoji: '🐱' }),
  'hide a profile, and show it again': ({ db, luis }) =>
    db.transaction().execute(async (trx) => {
      await hideProfile(trx, luis.id, 'admin')
      await showProfile(trx, luis.id, 'admin')
    }),
  'mark everything read': ({ db, ana }) => markAllRead(db, ana),
  'block who wrote and liked': ({ db, ana, luis }) => blockMember(db, ana, luis.id),
  'confirm one of many owners': ({ db, ana, found, claimant }) =>
    answerOwnershipRequest(db, ana, found.id, claimant.id, true),
  'take one’s own find as its owner': ({ db, ana, found }) => updateDog(db, ana, found.id, { relationship: 'owner' }),
  'dismiss what many reported': decide('dog', 'dismiss'),
  'close what a crash left of a dismissal': async ({ db }) => {
    await db.updateTable('cases').set({ open: 0 }).where('kind', '=', 'dog').execute()
    await closeLeftReports(db, Date.now())
  },
  'ban who wrote': decide('profile', 'ban'),
  'hide the profile of who wrote': decide('profile', 'hide'),
  'delete a dog as admin': decide('dog', 'delete'),
  'delete a dog': ({ db, ana, toby }) => deleteDog(db, dataDir, ana, toby.id),
  'hide a dog': decide('dog', 'hide'),
  'hide a dog and show it again': async (pile) => {
    await decide('dog', 'hide')(pile)
    await decide('dog', 'restore')(pile)
  },
  'hide a dog and delete it': async (pile) => {
    await decide('dog', 'hide')(pile)
    await deleteDog(pile.db, dataDir, pile.ana, pile.toby.id)
  },
  'hide a dog and delete it as admin': async (pile) => {
    await decide('dog', 'hide')(pile)
    await decide('dog', 'delete')(pile)
  },
  'hide a dog and delete the account of who wrote and liked': async (pile) => {
    const { db, luis } = pile
    await decide('dog', 'hide')(pile)
    await deleteAccount(db, dataDir, withRecentSignIn(luis), { dogs: 'delete', alias: luis.alias })
  },
}

const turns = suite('unit/robustness/event-loop')
turns.after(() => rmSync(dataDir, { recursive: true }))

for (const [name, action] of Object.entries(ACTIONS))
  turns(`${name}: its longest turn does not grow with accumulated data`, async () => {
    const small = await copyPile(SMALL)
    const before = await measureLongestTurn(small.db, () => action(small))
    const large = await copyPile(LARGE)
    const after = await measureLongestTurn(large.db, () => action(large))
    assert.ok(before.statements > 0 && before.rows > 0)
    for (const unit of ['statements', 'rows'] as const)
      assert.ok(
        after[unit] <= before[unit] * MAX_GROWTH,
        `${unit} in one turn: ${before[unit]} of ${SMALL} rows, ${after[unit]} of ${LARGE}`,
      )
  })
