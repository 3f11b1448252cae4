import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { FIGURE_FLAGS } from './dog-table.ts'

// The map's reads of the table of dogs, in queries of a size that a request may wait for.

/** What the map has of every dog. */
export interface Row {
  id: string
  zone: string | null
  breed_slug: string
  size: string | null
  created_at: number
  figures: number
}

/** Rows of the whole table, or ids of it, that one query reads: a request waits for one query at most. */
const ROWS_PER_QUERY = 5000
const IDS_PER_QUERY = 20_000

const flagWhereKnown = (column: 'weight' | 'age_months', flag: number) =>
  sql<number>`CASE WHEN ${sql.ref(column)} IS NULL THEN 0 ELSE ${sql.lit(flag)} END`

/** The map's columns of dogs. */
const selectRows = (db: Db) =>
  db
    .selectFrom('dogs')
    .select(['id', 'zone', 'breed_slug', 'size', 'created_at'])
    .select(
      sql<number>`${flagWhereKnown('weight', FIGURE_FLAGS.weight)} + ${flagWhereKnown('age_months', FIGURE_FLAGS.age)}`.as(
        'figures',
      ),
    )

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

/** Reads all dogs' ids, from the primary key alone. */
export async function* readAllIds(db: Db): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const query = db.selectFrom('dogs').select('id').where('id', '>', after).orderBy('id').limit(IDS_PER_QUERY)
    const rows = await query.execute()
    yield rows.map(({ id }) => id)
    const last = rows.at(-1)
    if (!last || rows.length < IDS_PER_QUERY) return
    after = last.id
  }
}

/** Reads some dogs, those of them that there are. */
export async function* readRowsOf(db: Db, ids: readonly string[]): AsyncGenerator<Row[]> {
  for (let start = 0; start < ids.length; start += ROWS_PER_QUERY)
    yield await selectRows(db)
      .where(inTexts(db, 'id', ids.slice(start, start + ROWS_PER_QUERY)))
      .execute()
}
