import { findContent } from '#features/moderation/content.server.ts'
import { call } from '#tests/support/api.ts'
import { type Action, callOrThrow, clientHeaders, recordErased, setDogState, setStates } from './action-context.ts'
import type { Canary } from './canaries.ts'
import { createCookie, type State, type World } from './world.ts'

/** Where everything stood before an account began to wait for its deletion. */
const statesBefore = new WeakMap<World, { states: Map<Canary, State>; photos: World['photos'] }>()

/** A week passes after which nothing keeps the account from being deleted (auth/dispute). */
export const endProtection: Action = async ({ cast: { db }, world: { ana } }) => {
  await db.updateTable('email_changes').set({ confirmed_at: 1 }).where('user_id', '=', ana.id).execute()
  const added = db.updateTable('sign_in_alerts').set({ created_at: 1 }).where('event', '!=', 'new-device')
  await added.where('user_id', '=', ana.id).execute()
  await db.updateTable('users').set({ disputed_at: null }).where('id', '=', ana.id).execute()
}

/** The account waits for its deletion: what it shows then, and to whom, is as for what is hidden. */
export const leave =
  (dogs: 'delete' | 'keep'): Action =>
  async (stage) => {
    const { world } = stage
    await endProtection(stage)
    const { body } = await call(stage.server, '/api/session', { cookie: world.cookie })
    await callOrThrow(stage, '/api/account', 'DELETE', { json: { dogs, alias: body.user.alias } })
    statesBefore.set(world, { states: new Map(world.states), photos: [...world.photos] })
    setStates(world, 'held', 'alias', 'otheralias', 'comment', 'losthelp', 'opinion')
    if (dogs === 'delete') setDogState(world, 'held')
  }

/** Ana signs in to the account that waits, and brings it back. */
export const comeBack: Action = async (stage) => {
  const { cast, server, world } = stage
  const headers = clientHeaders(world)
  const waiting = await createCookie(cast.db, world.ana.id)
  const answer = await call(server, '/api/account/restore', { method: 'POST', cookie: waiting, headers, json: {} })
  if (answer.status !== 200) throw new Error(`${world.name}: not restored, ${JSON.stringify(answer.body)}`)
  world.cookie = await createCookie(cast.db, world.ana.id)
  Object.assign(world, statesBefore.get(world))
  // What the admin decided on of the dog meanwhile.
  const dog = await findContent(cast.db, 'dog', world.toby.id)
  setDogState(world, !dog ? 'gone' : dog.hidden === 0 ? 'shown' : 'held')
}

/** Ana signs in to the account that waits, and ends it. */
export const eraseWaiting: Action = async (stage) => {
  const { cast, world } = stage
  const { dogs } = await cast.db
    .selectFrom('account_deletions')
    .select('dogs')
    .where('user_id', '=', world.ana.id)
    .executeTakeFirstOrThrow()
  await endProtection(stage)
  world.cookie = await createCookie(cast.db, world.ana.id)
  await callOrThrow(stage, '/api/account/erase', 'POST')
  recordErased(world, dogs)
}
