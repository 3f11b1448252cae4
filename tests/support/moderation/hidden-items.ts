import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { CONTENT, type ContentKind, type HiddenCause, mainCause } from '#db/content.ts'

export interface HiddenEntry {
  kind: ContentKind
  id: string
  cause: HiddenCause
}

/** All that is hidden by itself, by kind and id; what goes with a hidden dog is not among it. */
export async function listHiddenItems(db: Db | Trx): Promise<HiddenEntry[]> {
  const items: HiddenEntry[] = []
  for (const [kind, { table, key }] of Object.entries(CONTENT)) {
    const { rows } = await sql<{
      id: string
      hidden: number
    }>`SELECT ${sql.ref(key)} AS id, hidden FROM ${sql.table(table)}
      WHERE hidden > 0 ORDER BY 1`.execute(db)
    for (const { id, hidden } of rows) items.push({ kind: kind as ContentKind, id, cause: mainCause(hidden)! })
  }
  return items
}
