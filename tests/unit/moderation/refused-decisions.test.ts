import { randomUUID } from 'node:crypto'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { decideAs, openCaseOf, type PopularDog } from '#tests/support/reports/popular-dog.ts'
import { type Action, type Refusal, testRefusals } from '#tests/support/reports/refusals.ts'
import { suite } from '#tests/support/suites.ts'

const firstPhoto = ({ toby }: PopularDog) => toby.images[0]!.url
/** Hides Toby until a review. */
const hideByFilter: Action = ({ db, ana, toby }) => holdDog(db, ana, toby.id)

const WRITES: Record<string, Refusal> = {
  'an alias that is too long': [422, ({ db, ana }) => updateProfile(db, ana, { alias: 'Ana'.repeat(7), emoji: '🐶' })],
  'an alias that somebody has': [422, ({ db, ana }) => updateProfile(db, ana, { alias: 'Luis', emoji: '🐶' })],
  'a deletion by a visitor': [401, ({ db, dir, toby }) => deleteDog(db, dir, null, toby.id)],
  'a deletion by a stranger': [403, ({ db, dir, eva, toby }) => deleteDog(db, dir, eva, toby.id)],
  'a stranger’s deletion of a dog in quarantine': [
    404,
    ({ db, dir, eva, toby }) => deleteDog(db, dir, eva, toby.id),
    hideByFilter,
  ],
}

const report =
  (who: 'ana' | 'banned' | 'eva' | 'nobody', kind: TargetKind, idOf: (world: PopularDog) => string): Action =>
  (world) =>
    submitReport(
      world.db,
      who === 'nobody' ? null : world[who],
      { kind, id: idOf(world), reason: 'spam', words: '' },
      'x',
    )

const REPORTS: Record<string, Refusal> = {
  'by a visitor': [401, report('nobody', 'dog', ({ toby }) => toby.id)],
  'by a banned member': [403, report('banned', 'dog', ({ toby }) => toby.id)],
  'of what is not there': [404, report('eva', 'dog', () => randomUUID())],
  'of a dog in quarantine': [404, report('eva', 'dog', ({ toby }) => toby.id), hideByFilter],
  'of one’s own dog': [422, report('ana', 'dog', ({ toby }) => toby.id)],
  'of one’s own profile': [422, report('ana', 'profile', ({ ana }) => ana.id)],
}

/** A decision on a case that `prepare` opens. */
const decide = (
  status: number,
  deed: Parameters<typeof decideAs>[3],
  kind: TargetKind,
  {
    idOf = ({ toby }) => toby.id,
    before = async () => {},
    after = async () => {},
    version,
    who = 'admin',
  }: {
    idOf?: (world: PopularDog) => string
    /** Runs before the case is opened. */
    before?: Action
    /** Runs between that and the decision. */
    after?: (world: PopularDog, caseId: string) => Promise<unknown>
    version?: number
    who?: 'admin' | 'ana' | 'nobody'
  } = {},
): Refusal => {
  const caseOf = ({ db }: PopularDog) => db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
  return [
    status,
    async (world) => decideAs(world, who === 'nobody' ? null : world[who], (await caseOf(world)).id, deed, version),
    async (world) => {
      await before(world)
      await after(world, await openCaseOf(world, kind, idOf(world)))
    },
  ]
}

const hideDog = (world: PopularDog, caseId: string) => decideAs(world, world.admin, caseId, 'hide')
const STALE = { version: 1 }
const onePhotoLeft: Action = (world) =>
  replaceGallery(world.db, world.dir, world.ana, world.toby.id, [firstPhoto(world)])

const DECISIONS: Record<string, Refusal> = {
  'hide, by a visitor': decide(401, 'hide', 'dog', { who: 'nobody' }),
  'delete, by its owner': decide(403, 'delete', 'dog', { who: 'ana' }),
  'dismiss what was edited since': decide(409, 'dismiss', 'dog', STALE),
  'dismiss what is hidden': decide(409, 'dismiss', 'dog', { after: hideDog }),
  'restore a dog that was edited since': decide(409, 'restore', 'dog', { after: hideDog, ...STALE }),
  'restore a photo that was edited since': decide(409, 'restore', 'photo', {
    idOf: firstPhoto,
    after: hideDog,
    ...STALE,
  }),
  'restore a comment that was edited since': decide(409, 'restore', 'comment', {
    idOf: ({ comment }) => comment,
    after: hideDog,
    ...STALE,
  }),
  'restore a profile that was edited since': decide(409, 'restore', 'profile', {
    idOf: ({ luis }) => luis.id,
    after: hideDog,
    ...STALE,
  }),
  'restore what is not hidden': decide(409, 'restore', 'dog'),
  'restore a photo of a hidden dog': decide(409, 'restore', 'photo', {
    idOf: firstPhoto,
    after: async (world, caseId) => {
      await hideDog(world, caseId)
      await hideByFilter(world)
      // The first case of the table stays that of the photo.
      await world.db.deleteFrom('cases').where('kind', '=', 'dog').execute()
    },
  }),
  'hide the only photo': decide(409, 'hide', 'photo', { idOf: firstPhoto, before: onePhotoLeft }),
  'delete the only photo': decide(409, 'delete', 'photo', { idOf: firstPhoto, before: onePhotoLeft }),
  'delete a profile': decide(409, 'delete', 'profile', { idOf: ({ luis }) => luis.id }),
  'hide what was deleted': decide(404, 'hide', 'dog', {
    after: ({ db, dir, ana, toby }) => deleteDog(db, dir, ana, toby.id),
  }),
  'ban oneself': decide(422, 'ban', 'profile', { idOf: ({ admin }) => admin.id }),
}

const refused = suite('unit/moderation/refused-decisions')
testRefusals(refused, 'a report', REPORTS)
testRefusals(refused, 'the admin’s', DECISIONS)
testRefusals(refused, 'of the rest,', WRITES)
