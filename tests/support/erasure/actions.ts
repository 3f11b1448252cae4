import { findHidden } from '#features/moderation/content.server.ts'
import { answerOwnershipRequest, requestOwnership } from '#features/dogs/ownership/ownership.server.ts'
import { APPEALABLE_ACTIONS } from '#features/reports/decisions/decisions.ts'
import { DAY_MS } from '#lib/time.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { holdDog } from '#tests/support/moderation/held-dog.ts'
import { type Action, callOrThrow, recordErased, setDogState, setStates } from './action-context.ts'
import { comeBack, endProtection, eraseWaiting, leave } from './waiting-actions.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { OTHER_FREE_TEXTS, otherText } from './canaries.ts'
import { DOG_CANARIES, type State, type World } from './world.ts'

// Actions run over HTTP, as members and the admin do; each also records where the canaries are expected afterwards.

function setPhotoState(world: World, state: State) {
  setStates(world, state, 'coveralt')
  world.photos = [state, world.photos[1]]
  world.isPhotoHidden = state === 'held'
}

type Kind = 'dog' | 'photo' | 'comment' | 'profile'
const idOf = ({ toby, comment, ana }: World, kind: Kind): string =>
  ({ dog: toby.id, photo: toby.images[0]!.url, comment, profile: ana.id })[kind]

/** Members who have nothing to do with each other report a thing, each from a network of their own: it hides by itself. */
const reportByCrowd =
  (kind: Kind, then: (world: World) => void): Action =>
  async (stage) => {
    const { cast, world } = stage
    const id = idOf(world, kind)
    for (const [at, cookie] of cast.crowd.entries())
      await callOrThrow(stage, '/api/reports', 'POST', {
        cookie,
        headers: { 'X-Forwarded-For': `198.51.${at}.7` },
        json: { kind, id, reason: 'spam', words: '' },
      })
    const hidden = await findHidden(cast.db, kind, id)
    if (hidden?.cause !== 'reports') throw new Error(`${world.name}: ${kind} was not hidden by reports`)
    world.isModerated = true
    then(world)
  }

/** What the admin does of a thing. Somebody has to have reported it before there is anything to do. */
const adminDecides =
  (kind: Kind, deed: string, then: (world: World) => void): Action =>
  async (stage) => {
    const { cast, world } = stage
    const { db, eva } = cast
    const id = idOf(world, kind)
    const caseOf = () =>
      db
        .selectFrom('cases')
        .select(['id', 'edited_at as version'])
        .where('kind', '=', kind)
        .where('thing_id', '=', id)
        .executeTakeFirst()
    if (!(await caseOf())) {
      // A member opens few cases a day: her earlier reports are of the day before.
      await db
        .updateTable('reports')
        .set((eb) => ({ created_at: eb('created_at', '-', DAY_MS) }))
        .where('user_id', '=', eva.id)
        .execute()
      await submitReport(db, eva, { kind, id, reason: 'otra', words: world.words.accusation }, '203.0.113.9')
    }
    const { id: caseId, version } = (await caseOf())!
    const json = { deed, reason: world.words.reason, version, member: world.ana.id, ...(deed === 'ban' && { days: 7 }) }
    await callOrThrow(stage, `/api/admin/cases/${caseId}`, 'POST', { cookie: cast.cookies.admin, json })
    world.isModerated = true
    then(world)
  }

/** A word, a note and an answer: what only a member with a case leaves behind. */
const warnAndAnswer: Action = async (stage) => {
  const { cast, world } = stage
  await submitReport(
    cast.db,
    world.ana,
    { kind: 'dog', id: cast.kira.id, reason: 'otra', words: world.words.ownreport },
    'x',
  )
  await adminDecides('dog', 'warn', () => {})(stage)
  const { id: caseId } = await cast.db
    .selectFrom('cases')
    .select('id')
    .where('thing_id', '=', world.toby.id)
    .executeTakeFirstOrThrow()
  const json = { deed: 'note', reason: world.words.note }
  await callOrThrow(stage, `/api/admin/cases/${caseId}`, 'POST', { cookie: cast.cookies.admin, json })
  const { id } = await cast.db
    .selectFrom('decision_people')
    .select('decision_id as id')
    .where('user_id', '=', world.ana.id)
    .executeTakeFirstOrThrow()
  await callOrThrow(stage, `/api/decisions/${id}/appeal`, 'POST', { json: { text: world.words.appeal } })
}

/** Ana answers the last decision that she may answer: the admin's bell says what it was about. */
const answerDecision: Action = async (stage) => {
  const { cast, world } = stage
  const { id } = await cast.db
    .selectFrom('decision_people as a')
    .innerJoin('decisions as d', 'd.id', 'a.decision_id')
    .select('d.id')
    .where('a.user_id', '=', world.ana.id)
    .where('a.appeal', 'is', null)
    .where('d.deed', 'in', APPEALABLE_ACTIONS)
    .orderBy('d.created_at', 'desc')
    .executeTakeFirstOrThrow()
  await callOrThrow(stage, `/api/decisions/${id}/appeal`, 'POST', { json: { text: world.words.appeal } })
}

/** A declined ownership request: its notification names the dog and its discoverer. */
const declineLuis: Action = async ({ cast: { db, luis }, world }) => {
  const { ana, toby } = world
  await db.updateTable('dogs_all').set({ owner_id: null, discoverer_id: ana.id }).where('id', '=', toby.id).execute()
  // Who does not own it looks for it no more.
  world.isSearched = false
  setStates(world, 'held', 'losthelp')
  await requestOwnership(db, luis, toby.id)
  await answerOwnershipRequest(db, ana, toby.id, luis.id, false)
}

const erase =
  (dogs: 'delete' | 'keep'): Action =>
  async (stage) => {
    const { world } = stage
    await endProtection(stage)
    const { body } = await call(stage.server, '/api/session', { cookie: world.cookie })
    await callOrThrow(stage, '/api/account', 'DELETE', { json: { dogs, alias: body.user.alias, now: true } })
    recordErased(world, dogs)
  }

export const ACTIONS: Record<string, Action> = {
  deleteDog: async (stage) => {
    await callOrThrow(stage, `/api/dogs/${stage.world.toby.id}`, 'DELETE')
    setDogState(stage.world, 'gone')
  },
  editDog: async (stage) => {
    const { toby, words, states } = stage.world
    const json = {
      name: words.othername,
      breed: `mezcla ${words.otherbreed}`,
      zone: words.otherzone,
      ...Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, words[otherText(name)]])),
    }
    await callOrThrow(stage, `/api/dogs/${toby.id}`, 'PATCH', { json })
    // The second photo stays; it has another place once it was hidden and restored.
    const { url } = await stage.cast.db
      .selectFrom('dog_images')
      .select('url')
      .where('dog_id', '=', toby.id)
      .where('alt', '=', words.secondalt)
      .executeTakeFirstOrThrow()
    const form = formOf({ images: [url], alts: [''] })
    await callOrThrow(stage, `/api/dogs/${toby.id}/images`, 'PUT', { form })
    setStates(stage.world, 'gone', ...DOG_CANARIES, 'forsale')
    for (const word of ['othername', 'otherbreed', 'otherzone', ...OTHER_FREE_TEXTS] as const) states.set(word, 'shown')
    stage.world.photos = ['gone', stage.world.photos[1]]
  },
  quarantine: async (stage) => {
    const { toby, words, states } = stage.world
    // A lost dog stayed in sight.
    await stage.cast.db.deleteFrom('lost_cases').where('dog_id', '=', toby.id).execute()
    await stage.cast.db.updateTable('lost_history').set({ help: null }).where('dog_id', '=', toby.id).execute()
    setStates(stage.world, 'gone', 'losthelp')
    await holdDog(stage.cast.db, stage.world.ana, toby.id, { description: `Se vende por 300 €, ${words.forsale}` })
    setStates(stage.world, 'gone', 'description')
    states.set('forsale', 'held')
    setDogState(stage.world, 'held')
    stage.world.isModerated = true
  },
  propose: async (stage) => {
    const { toby, words, states } = stage.world
    const json = { description: `Se vende por 300 €, ${words.forsale}` }
    await callOrThrow(stage, `/api/dogs/${toby.id}`, 'PATCH', { json })
    states.set('forsale', 'held')
  },
  publish: adminDecides('dog', 'restore', (world) => {
    setDogState(world, 'shown')
    setStates(world, 'gone', 'description')
  }),
  hideDog: adminDecides('dog', 'hide', (world) => setDogState(world, 'held')),
  restoreDog: adminDecides('dog', 'restore', (world) => setDogState(world, 'shown')),
  removeDog: adminDecides('dog', 'delete', (world) => setDogState(world, 'gone')),
  hidePhoto: adminDecides('photo', 'hide', (world) => setPhotoState(world, 'held')),
  restorePhoto: adminDecides('photo', 'restore', (world) => setPhotoState(world, 'shown')),
  removePhoto: adminDecides('photo', 'delete', (world) => setPhotoState(world, 'gone')),
  deleteComment: async (stage) => {
    await callOrThrow(stage, `/api/comments/${stage.world.comment}`, 'DELETE')
    setStates(stage.world, 'gone', 'comment')
  },
  hideComment: adminDecides('comment', 'hide', (world) => setStates(world, 'held', 'comment')),
  restoreComment: adminDecides('comment', 'restore', (world) => setStates(world, 'shown', 'comment')),
  removeComment: adminDecides('comment', 'delete', (world) => setStates(world, 'gone', 'comment')),
  rename: async (stage) => {
    await callOrThrow(stage, '/api/profile', 'PUT', { json: { alias: stage.world.words.otheralias, emoji: '🐶' } })
    setStates(stage.world, 'gone', 'alias')
    stage.world.states.set('otheralias', 'shown')
  },
  hideProfile: adminDecides('profile', 'hide', (world) => setStates(world, 'held', 'alias', 'otheralias')),
  restoreProfile: adminDecides('profile', 'restore', (world) => setStates(world, 'shown', 'alias', 'otheralias')),
  ban: adminDecides('profile', 'ban', (world) => (world.isBanned = true)),
  unban: adminDecides('profile', 'unban', (world) => (world.isBanned = false)),
  crowdDog: reportByCrowd('dog', (world) => setDogState(world, 'held')),
  crowdPhoto: reportByCrowd('photo', (world) => setPhotoState(world, 'held')),
  crowdComment: reportByCrowd('comment', (world) => setStates(world, 'held', 'comment')),
  crowdProfile: reportByCrowd('profile', (world) => setStates(world, 'held', 'alias', 'otheralias')),
  // How its comment was written: so that the word filter holds it.
  heldComment: async () => {},
  // How its dog was added (plant): without account, so that it waits.
  anonymous: async () => {},
  claimDog: async (stage) => {
    const { toby, token } = stage.world
    await callOrThrow(stage, `/api/dogs/${toby.id}/association`, 'POST', { json: { ownershipType: 'owner', token } })
  },
  warnAndAnswer,
  answerDecision,
  declineLuis,
  eraseAll: erase('delete'),
  eraseButDogs: erase('keep'),
  leaveAll: leave('delete'),
  leaveButDogs: leave('keep'),
  comeBack,
  eraseWaiting,
}
