import { AsyncLocalStorage } from 'node:async_hooks'
import { findLastChange } from './table-changes.ts'

// Who writes sees it in every page from then on, whichever node answers: the answer to a write carries the position of its last change,
// and pages for the writer are not older. SQLite's process counts changes itself, nodes by the ids of their log.

const request = new AsyncLocalStorage<{ position: number }>()
/** The change of the log up to which all are known here; undefined on SQLite. */
let lastLogged: number | undefined

/** The position up to which this process knows all changes. */
export const findPosition = (): number => lastLogged ?? findLastChange()

/** Changes of this process that are noted, and which the log will tell again. */
const ownLogged = new Set<number>()

/** Notes that the changes of the log up to that one are known. */
export function noteLogged(id: number): void {
  lastLogged = id
  for (const own of ownLogged) if (own <= id) ownLogged.delete(own)
}

/** Notes that a change of this process is noted, unless the log was faster. */
export function noteOwnLogged(id: number): void {
  if (lastLogged !== undefined && id > lastLogged) ownLogged.add(id)
}

/** Whether a change that the log tells is noted already; asked once for each. */
export const isOwnLogged = (id: number): boolean => ownLogged.delete(id)

/** Notes a change that the request under way has committed. */
export function noteOwnChange(position: number): void {
  const own = request.getStore()
  if (own) own.position = position
}

/** Runs `action`. @returns its result, and the position of the last change that it has committed; 0 for none */
export async function recordPosition<T>(action: () => Promise<T>): Promise<{ value: T; position: number }> {
  const own = { position: 0 }
  const value = await request.run(own, action)
  return { value, position: own.position }
}
