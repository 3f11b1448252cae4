import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './client.ts'
import { readSchemaEffects, type SchemaEffects } from './dialect/schema-effects.ts'
import { PRIVATE_TABLES } from './private-tables.ts'
import { tablesOfStatement } from './statement-tables.ts'

// What a page has read, and whether any of it has been written since. Statements say it by their texts: each client notes those that it
// sends (`noteStatement`), `recordReads` collects the tables of one render, and `transact` those that it has written.

/** What somebody has read. */
export interface Reads {
  /** Tables, and what `noteRead` names. Before `followSchema` all names in the statements, columns too. */
  readonly names: Set<string>
  /** The last change before the first of them was read. */
  readonly since: number
}

/** Tables whose direct writes are counts to who reads: a like is one more heart. */
const COUNTED_TABLES: readonly string[] = ['dog_likes_all']

const NO_EFFECTS: SchemaEffects = { tables: new Set(), views: new Map(), cascades: new Map(), triggers: new Map() }
let effects = NO_EFFECTS

/**
 * Changes are numbered in their order. The first number is the time, so that those of a process are above those of the one before: browsers
 * send them back (lib/http/written.ts).
 */
let lastChange = Date.now() * 1000
/** The last change of everything: another process may have written anything. */
let everythingChanged = 0
/** The last change of each table by statements, and by triggers or likes, which count. */
const changed = new Map<string, number>()
const counted = new Map<string, number>()

const reading = new AsyncLocalStorage<Reads & { isShared: boolean }>()
const writing = new AsyncLocalStorage<Set<string>>()

/** Learns what triggers, foreign keys and views add to statements. Call it once the schema is migrated. */
export async function followSchema(db: Db): Promise<void> {
  effects = await readSchemaEffects(db)
}

/** Notes a statement that is sent to the database. @throws where a page for several readers reads a private table */
export function noteStatement(text: string): void {
  const reads = reading.getStore()
  const writes = writing.getStore()
  if (!reads && !writes) return
  const tables = tablesOfStatement(text)
  if (writes) for (const write of tables.writes) writes.add(write)
  if (!reads) return
  for (const name of tables.names) {
    assertReadable(reads, name)
    if (effects.tables.size === 0 || effects.tables.has(name)) reads.names.add(name)
    for (const table of effects.views.get(name) ?? []) reads.names.add(table)
  }
}

function assertReadable({ isShared }: { isShared: boolean }, name: string): void {
  if (isShared && PRIVATE_TABLES.has(name)) throw new Error(`A page for several readers reads ${name}`)
}

/** Notes that something is read that no statement names, such as a folder's files. */
export const noteRead = (name: string): void => void reading.getStore()?.names.add(name)

/**
 * Runs `action` and says what it has read.
 * @param isShared whether several readers get its result: then it may read no private table
 */
export async function recordReads<T>(action: () => Promise<T>, isShared = false): Promise<{ value: T; reads: Reads }> {
  const outer = reading.getStore()
  const reads = { names: new Set<string>(), since: lastChange, isShared: isShared || (outer?.isShared ?? false) }
  const value = await reading.run(reads, action)
  return { value, reads }
}

/** Reads what is no part of a page and makes none out of date: whether a job waits, whose own writes make pages out of date. */
export const unrecorded = <T>(action: () => Promise<T>): Promise<T> => reading.exit(action)

/** Whether what was read is as it was; `counted` where nothing but counts has changed. */
export function compareReads({ names, since }: Reads): 'current' | 'counted' | 'changed' {
  if (since === lastChange) return 'current'
  if (everythingChanged > since) return 'changed'
  let isCounted = false
  for (const name of names) {
    if ((changed.get(name) ?? 0) > since) return 'changed'
    if ((counted.get(name) ?? 0) > since) isCounted = true
  }
  return isCounted ? 'counted' : 'current'
}

/** The number of the last change. */
export const findLastChange = (): number => lastChange

/** All writes that follow from `writes`, and whether each only counts to who reads. */
function spreadWrites(writes: Iterable<string>): Map<string, boolean> {
  const found = new Map<string, boolean>()
  const queue = [...writes].map((write) => ({ write, counts: COUNTED_TABLES.includes(write.slice(2)) }))
  // It grows as it is gone through.
  for (const { write, counts } of queue) {
    const known = found.get(write)
    // A write that does more than count stays one.
    if (known === false || known === counts) continue
    found.set(write, counts)
    for (const next of effects.cascades.get(write) ?? []) queue.push({ write: next, counts })
    for (const next of effects.triggers.get(write) ?? []) queue.push({ write: next, counts: true })
  }
  return found
}

/** Notes writes that are committed. @param writes as `listWrites` spells them @returns the change's number */
export function noteWrites(writes: Iterable<string>): number {
  lastChange++
  for (const [write, counts] of spreadWrites(writes)) (counts ? counted : changed).set(write.slice(2), lastChange)
  return lastChange
}

/** Notes that something else has changed, which `noteRead` has named. */
export const noteChange = (name: string): void => void changed.set(name, ++lastChange)

/** Notes that anything may have changed. */
export const noteUnknownChanges = (): void => void (everythingChanged = ++lastChange)

const isPublic = (write: string): boolean => !PRIVATE_TABLES.has(write.slice(2))

/** Runs a transaction's `action` and collects its writes, without those that concern private tables alone, which no shared page shows. */
export async function recordWrites<T>(action: () => Promise<T>, writes: Set<string>): Promise<T> {
  const value = await writing.run(writes, action)
  for (const write of writes) if (![...spreadWrites([write]).keys()].some(isPublic)) writes.delete(write)
  return value
}

/**
 * Memoizes `load` until a table that it has read is written. A transaction, which may have written one, calls it each time.
 * @param load reads the database and nothing of its caller
 */
export function memoizeReads<T>(load: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  const cache = new WeakMap<Db, Promise<{ value: T; reads: Reads }>>()
  const loadAnew = (db: Db) => {
    const loading = recordReads(() => load(db))
    cache.set(db, loading)
    loading.catch(() => cache.get(db) === loading && cache.delete(db))
    return loading
  }
  return async (db) => {
    if (db.isTransaction) return load(db)
    const loaded = await (cache.get(db) ?? loadAnew(db))
    const { value, reads } = compareReads(loaded.reads) === 'current' ? loaded : await loadAnew(db)
    const outer = reading.getStore()
    for (const name of outer ? reads.names : []) {
      assertReadable(outer!, name)
      outer!.names.add(name)
    }
    return value
  }
}
