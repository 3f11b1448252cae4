import { sql } from 'kysely'
import type { Db } from '#db/client.ts'

// The map's reads of the table of dogs, in queries of a size that a request may wait for.

/** What the map has of every dog. */
export interface Row {
  id: string
  zone: string | null
  breed_slug: string
  size: string | null
  created: number
  /** 1 where it has a weight, or an age; else 0. */
  has_weight: number
  has_age: number
}

/** Rows that one query reads: a request waits for one query at most. */
const ROWS_PER_QUERY = 5000

const isKnown = (column: 'weight' | 'age_months') => sql<number>`CASE WHEN ${sql.ref(column)} IS NULL THEN 0 ELSE 1 END`

const selectRows = (db: Db) =>
  db
    .selectFrom('dogs')
    .select(['id', 'zone', 'breed_slug', 'size', 'created_at as created'])
    .select([isKnown('weight').as('has_weight'), isKnown('age_months').as('has_age')])

/** Dogs that changed at `time` or later. By the index dogs_updated. */
export const selectChangedRows = (db: Db, time: number) => selectRows(db).where('updated_at', '>=', time)

/** Reads all dogs, by the primary key. */
export async function* readAllRows(db: Db): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const rows = await selectRows(db).where('id', '>', after).orderBy('id').limit(ROWS_PER_QUERY).execute()
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_QUERY) return
    after = last.id
  }
}
