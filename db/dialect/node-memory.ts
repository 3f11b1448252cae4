import { LRUCache } from 'lru-cache'
import type { Db } from '../client.ts'
import { type AnyDb, isSharedByNodes } from './dialect.ts'
import { NodeCounters, readNotes, writeNote } from './postgres/node-memory.ts'
import { openBeside } from './postgres/open.ts'

/** A transaction may take points: it must not wait for a connection that another transaction has. */
const COUNTER_CONNECTIONS = 2

/** Counters that all nodes of the database share; null where there is one process, which has its own in memory. */
export function openNodeCounters(db: Db): { counters: NodeCounters; close: () => Promise<void> } | null {
  if (!isSharedByNodes(db)) return null
  const beside = openBeside(db, COUNTER_CONNECTIONS)
  return { counters: new NodeCounters(beside), close: () => beside.destroy() }
}

/** Remembers values for a day at most: in memory, or where nodes share the database, in its table without log. */
export interface Notes<T> {
  /** @param db the transaction under way */
  read: (db: AnyDb, key: string) => Promise<T | undefined>
  /** The values of those of `keys` that have one. */
  readAll: (db: AnyDb, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  write: (db: AnyDb, key: string, value: T) => Promise<void>
}

/**
 * Opens notes of one kind.
 * @param kind a constant, which distinguishes their keys
 * @param max notes in memory; the least recent are forgotten beyond it
 */
export function createNotes<T extends object>(kind: string, max: number): Notes<T> {
  const notes = new LRUCache<string, T>({ max })
  const inMemory = (keys: readonly string[]) =>
    keys.flatMap((key): [string, T][] => {
      const note = notes.get(key)
      return note === undefined ? [] : [[key, note]]
    })
  const shared = async (db: AnyDb, keys: readonly string[]) => {
    const texts = await readNotes(
      db,
      keys.map((key) => `${kind} ${key}`),
    )
    return [...texts].map(([name, text]): [string, T] => [name.slice(kind.length + 1), JSON.parse(text) as T])
  }
  const readAll: Notes<T>['readAll'] = async (db, keys) =>
    new Map(isSharedByNodes(db) ? await shared(db, keys) : inMemory(keys))
  return {
    readAll,
    read: async (db, key) => (await readAll(db, [key])).get(key),
    async write(db, key, value) {
      if (isSharedByNodes(db)) await writeNote(db, `${kind} ${key}`, JSON.stringify(value))
      else notes.set(key, value)
    },
  }
}
