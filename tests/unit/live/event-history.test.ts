import { addComment, deleteComment } from '#features/comments/comments.server.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { eventsAfter } from '#tests/support/live/events-after.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'
import { updateProfile } from '#features/profiles/edit/profile-edit.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { deleteMemberAccount } from '#tests/support/account/delete-member-account.ts'
import {
  assert,
  assertNone,
  type CurrentUser,
  dataSuite,
  type Db,
  dog,
  type Dog,
  member,
  seed,
} from '#tests/support/suites.ts'

// GET /api/events tells anybody who names an old number what has happened since. Whatever is not seen is not told, whichever way it went.

const ADMIN = 'admin@ejemplo.es'

interface World {
  db: Db
  dir: string
  /** Whose dog it is. */
  ana: CurrentUser
  /** Who likes it and says something. */
  luis: CurrentUser
  toby: Dog
  comment: string
  act: (kind: 'dog' | 'photo' | 'comment' | 'profile', id: string, deed: DecisionInput['deed']) => Promise<void>
}

async function createWorld(db: Db, dir: string): Promise<World> {
  const [admin, reporter, ana, luis] = await seed(
    db,
    member({ email: ADMIN, alias: 'Admin' }),
    member(),
    member({ alias: 'Dueña Canaria' }),
    member({ alias: 'Alias Canario', emoji: '🦊' }),
  )
  const words = { name: 'Nombre Canario', breed: 'Mezcla canaria' }
  const [toby] = await seed(db, dog({ ...words, owner_id: ana.id, photos: 2 }))
  await publishDogEvent(db, 'added', toby.id)
  await like(db, luis, toby.id)
  const { id: comment } = await addComment(db, luis, toby.id, 'Comentario canario')
  const act: World['act'] = async (kind, id, deed) => {
    if (deed !== 'restore') await submitReport(db, reporter, { kind, id, reason: 'spam', words: '' }, 'x')
    const { id: caseId } = await db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
    const input = { deed, reason: 'Porque sí.', days: null }
    await applyCaseAction(db, dir, { user: admin, adminEmail: ADMIN }, caseId, input)
  }
  return { db, dir, ana, luis, toby, comment, act }
}

const history = dataSuite('unit/live/event-history')

/** All that anybody can still be told, by the stream to whoever names 0 and by the bell of the dog's owner. */
const readHistory = async ({ db, ana }: World) => {
  const bell = await listNotifications(db, ana.id)
  const lines = bell.notifications.filter(({ title }) => !DECISION_TITLES.includes(title))
  const events = (await eventsAfter(db, 0, 1000)).filter(
    ({ data }) => !DECISION_TITLES.some((title) => data.includes(title)),
  )
  return [JSON.stringify(lines), ...events.map(({ data }) => data)].join('\n')
}
/** What is told its own people of a decision names the thing: they are to know what was decided. */
const DECISION_TITLES = ['Hemos ocultado algo tuyo', 'Hemos eliminado algo tuyo']

const DOG_CANARIES = ['Nombre Canario', 'nombre-canario', 'Mezcla canaria']
const COMMENT_CANARIES = ['Comentario canario', 'Alias Canario']
const editDog = (patch: object) => async (w: World) => void (await updateDog(w.db, w.ana, w.toby.id, patch))

const CASES: Record<string, [deed: (w: World) => Promise<unknown>, gone: string[], stays?: string[]]> = {
  'a comment its author deletes': [
    ({ db, luis, comment }) => deleteComment(db, luis, comment),
    ['Comentario canario'],
    DOG_CANARIES,
  ],
  'a comment that is hidden': [
    ({ act, comment }) => act('comment', comment, 'hide'),
    ['Comentario canario'],
    DOG_CANARIES,
  ],
  'a comment that the admin deletes': [({ act, comment }) => act('comment', comment, 'delete'), ['Comentario canario']],
  'a dog its owner deletes': [
    ({ db, dir, ana, toby }) => deleteDog(db, dir, ana, toby.id),
    [...DOG_CANARIES, ...COMMENT_CANARIES],
  ],
  'a dog that is hidden': [({ act, toby }) => act('dog', toby.id, 'hide'), [...DOG_CANARIES, ...COMMENT_CANARIES]],
  'a dog that the admin deletes': [
    ({ act, toby }) => act('dog', toby.id, 'delete'),
    [...DOG_CANARIES, ...COMMENT_CANARIES],
  ],
  'a dog that a version before held with its new words': [
    ({ db, ana, toby }) => holdDog(db, ana, toby.id),
    [...DOG_CANARIES, ...COMMENT_CANARIES, 'Se vende'],
  ],
  'a dog’s old name': [
    editDog({ name: 'Toby' }),
    ['Nombre Canario', 'nombre-canario'],
    ['A Alias Canario le gusta Toby', 'ha comentado en Toby: «Comentario canario»', '/mestizo/toby'],
  ],
  'a dog’s old breed': [editDog({ breed: 'Beagle' }), ['Mezcla canaria', '/mestizo/'], ['Nombre Canario']],
  'a photo taken out of the gallery': [
    ({ db, dir, ana, toby }) => replaceGallery(db, dir, ana, toby.id, [toby.images[1]!.url]),
    ['_00000000.jpg'],
    ['_00000001.jpg'],
  ],
  'a photo that is hidden': [
    ({ act, toby }) => act('photo', toby.images[0]!.url, 'hide').catch(() => {}),
    ['_00000000.jpg'],
    ['_00000001.jpg'],
  ],
  'a like taken back': [
    ({ db, luis, toby }) => unlike(db, luis, toby.id),
    ['"liked":true', 'le gusta'],
    ['{"id":"","dog_id":', '"user_id":"","created_at":', '"liked":false', 'Comentario canario'],
  ],
  'an old alias': [
    ({ db, luis }) => updateProfile(db, luis, { alias: 'Luis', emoji: '🐱' }),
    ['Alias Canario', '🦊'],
    ['A Luis le gusta', 'Luis ha comentado en', '"alias":"Luis"'],
  ],
  'a hidden profile': [
    ({ act, luis }) => act('profile', luis.id, 'hide'),
    ['Alias Canario', '🦊'],
    ['A Usuario le gusta', 'Usuario ha comentado en'],
  ],
  'an account that goes with its dogs': [
    ({ db, dir, ana }) => deleteMemberAccount(db, dir, ana, 'delete'),
    [...DOG_CANARIES, ...COMMENT_CANARIES],
  ],
  'an account that leaves its dogs': [
    ({ db, dir, luis }) => deleteMemberAccount(db, dir, luis, 'keep'),
    COMMENT_CANARIES,
  ],
}

for (const [name, [deed, gone, stays = []]] of Object.entries(CASES))
  history(`is no longer replayed: ${name}`, async ({ db, dir }) => {
    const w = await createWorld(db, dir)
    const before = await readHistory(w)
    for (const word of [...DOG_CANARIES, ...COMMENT_CANARIES, '_00000000.jpg', '"liked":true', '🦊'])
      assert.ok(before.includes(word), `to look for: ${word}`)
    await deed(w)
    const after = await readHistory(w)
    assertNone(gone, (word) => after.includes(word), after)
    assertNone(stays, (word) => !after.includes(word), after)
  })

history('a restored profile is named again', async ({ db, dir }) => {
  const w = await createWorld(db, dir)
  await w.act('profile', w.luis.id, 'hide')
  await w.act('profile', w.luis.id, 'restore')
  const after = await readHistory(w)
  for (const word of ['A Alias Canario le gusta', '"alias":"Alias Canario","emoji":"🦊"'])
    assert.ok(after.includes(word))
})

history('a name inside another word, or in a quotation, is left unchanged', async ({ db }) => {
  const [luis, ana] = await seed(db, member({ alias: 'Tobías' }), member())
  const [tob] = await seed(db, dog({ name: 'Tob', owner_id: ana.id }))
  await addComment(db, luis, tob.id, 'Hola, Tob')
  await updateDog(db, ana, tob.id, { name: 'Lía' })
  const { notifications } = await listNotifications(db, ana.id)
  assert.ok(notifications.some(({ content }) => content === 'Tobías ha comentado en Lía: «Hola, Tob»'))
})
