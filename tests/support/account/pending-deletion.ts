import { rmSync } from 'node:fs'
import type { Trx as Db } from '#db/client.ts'
import { requestDeletion, type RequestedDeletion } from '#features/account/deletion/request-deletion.server.ts'
import type { DogsChoice } from '#features/dogs/member-roles.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { copyLeaving, decide, type Leaving } from '#tests/support/account/leaving-member.ts'
import { readAllRows, type Row } from '#tests/support/rows.ts'

// Ana's account (leaving-member.ts) waits for its deletion.

/** What pages, lists, feeds, searches, streams and files of open data are made of. */
export const PUBLIC_TABLES = [
  'profiles',
  'dogs',
  'dog_images',
  'dog_paths',
  'dog_likes',
  'comments',
  'ownership_requests',
  'member_dogs',
  'member_breeds',
  'dog_tallies',
  'dog_day_tallies',
  'totals',
  'ranking_dogs',
  'ranking_likes',
  'dog_words',
  'member_words',
  'push_queue',
]

const VOLATILE = ['updated_at', 'disputed_at']

/** The rows without what changes with each write, in one order. */
export const toComparable = (rows: readonly Row[] = []): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !VOLATILE.includes(column)))).toSorted()

const pickTables = (rows: Record<string, Row[]>, tables: readonly string[]) =>
  Object.fromEntries(tables.map((table) => [table, toComparable(rows[table])]))

export const readTables = async (db: Db, tables: readonly string[]) => pickTables(await readAllRows(db), tables)

/** All rows, those with what others read: photos and addresses of hidden dogs are as those of deleted ones. */
export async function readPublicRows(db: Db): Promise<Record<string, Row[]>> {
  const rows = await readAllRows(db)
  const shown = new Set(rows.dogs!.map(({ id }) => id))
  rows.dog_images = rows.dog_images!.filter(({ dog_id }) => shown.has(dog_id))
  rows.dog_paths = rows.dog_paths!.map((path) => (shown.has(path.dog_id) ? path : { ...path, dog_id: null }))
  return rows
}

export const readPublic = async (db: Db) => pickTables(await readPublicRows(db), PUBLIC_TABLES)

export const aliasOf = async (db: Db, id: string): Promise<string> =>
  (await db.selectFrom('profiles').select('alias').where('id', '=', id).executeTakeFirst())?.alias ?? FALLBACK_ALIAS

/** Ana asks for the deletion. @returns what is mailed */
export async function leave({ db, ana }: Leaving, dogs: DogsChoice, now = Date.now()): Promise<RequestedDeletion> {
  let mailed: RequestedDeletion | undefined
  const input = { dogs, alias: await aliasOf(db, ana.id) }
  await requestDeletion(db, { id: ana.id, authenticatedAt: now }, input, async (mail) => void (mailed = mail), now)
  return mailed!
}

/** With her profile in sight: the admin had hidden it. */
export async function copyInSight(): Promise<Leaving> {
  const leaving = await copyLeaving()
  await decide(leaving, 'profile', leaving.ana.id, 'restore')
  return leaving
}

export async function dispose({ db, dataDir }: Leaving): Promise<void> {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}
