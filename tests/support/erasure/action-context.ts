import { call, type Json } from '#tests/support/api.ts'
import type { TestServer } from '#tests/support/server.ts'
import { type Canary, OTHER_FREE_TEXTS } from './canaries.ts'
import { type Cast, DOG_CANARIES, PRIVATE_CANARIES, type State, type World } from './world.ts'

// What the actions share: how they ask the server, and where the canaries are expected afterwards.

export interface ActionContext {
  server: TestServer
  cast: Cast
  world: World
}
export type Action = (stage: ActionContext) => Promise<void>

/** Each member comes from an address of their own: a community does not share one person's limits. */
export const clientHeaders = (world: World) => ({
  'X-Forwarded-For': `203.0.113.${Number.parseInt(world.ana.id.slice(0, 2), 16)}`,
})

export async function callOrThrow(
  { server, world }: ActionContext,
  path: string,
  method: string,
  more: object = {},
): Promise<Json> {
  const given = { method, cookie: world.cookie, headers: clientHeaders(world), ...more }
  const { status, body } = await call(server, path, given)
  if (status >= 300) throw new Error(`${world.name}: ${method} ${path} answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const setStates = (world: World, state: State, ...words: readonly Canary[]) => {
  for (const word of words)
    if (world.states.has(word) && world.states.get(word) !== 'gone') world.states.set(word, state)
}
const OTHER_WORDS = ['othername', 'otherbreed', 'otherzone', ...OTHER_FREE_TEXTS, 'forsale'] as const
/** The dog with everything on it; a photo that was hidden alone stays so until it is put back, or the dog goes. */
export function setDogState(world: World, state: State) {
  const { isPhotoHidden, isSearched } = world
  setStates(world, state, ...DOG_CANARIES, ...OTHER_WORDS, 'answered')
  setStates(world, state === 'shown' && !isSearched ? 'held' : state, 'losthelp')
  const cover = isPhotoHidden && state !== 'gone' ? 'held' : state
  setStates(world, cover, 'coveralt')
  world.photos = [world.photos[0] === 'gone' ? 'gone' : cover, state]
}
export function recordErased(world: World, dogs: 'delete' | 'keep') {
  world.hasAccount = false
  setStates(world, 'gone', 'alias', 'otheralias', 'comment', 'losthelp', 'opinion', 'sighting')
  if (dogs === 'delete') setDogState(world, 'gone')
  if (world.states.get('forsale') === 'held') world.states.set('forsale', 'gone')
  for (const word of PRIVATE_CANARIES) world.states.set(word, 'gone')
  // What others said of a dog that stays in the album stays with it.
  if (dogs === 'delete') world.states.set('accusation', 'gone')
}
