import { createHash } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { readRowsAfter } from '#db/dialect/bulk-load.ts'
import type { TableLayout } from '#db/dialect/table-layouts.ts'

/** Rows that are read at once. */
export const ROWS_PER_BATCH = 1000

export interface TableDigest {
  rows: number
  /** SHA-256 of all rows in the order of their key, hexadecimal. The same rows give the same digest in both databases. */
  digest: string
}

/** Reads the whole table once. @param onRows called with the number of rows of each batch */
export async function digestTable(
  db: Db,
  layout: TableLayout,
  onRows: (count: number) => void = () => {},
): Promise<TableDigest> {
  const hash = createHash('sha256')
  let rows = 0
  let last: Record<string, unknown> | null = null
  for (;;) {
    const batch: Record<string, unknown>[] = await readRowsAfter(db, layout, last, ROWS_PER_BATCH)
    for (const row of batch) hash.update(`${JSON.stringify(layout.columns.map((column) => row[column]))}\n`)
    rows += batch.length
    onRows(batch.length)
    last = batch.at(-1) ?? null
    if (batch.length < ROWS_PER_BATCH) return { rows, digest: hash.digest('hex') }
  }
}
