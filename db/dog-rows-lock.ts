import { KeyedLock } from './keyed-lock.ts'

/**
 * Held, by dog, while rows move to quarantine or back: two moves in opposite directions would never end. Deletions of a single row
 * hold it too, since a row that is away is in neither place where its events and notifications are looked for.
 */
export const dogRowsLock = new KeyedLock()
