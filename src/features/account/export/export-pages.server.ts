import { setImmediate as nextTurn } from 'node:timers/promises'

export const EXPORT_PAGE_SIZE = 200

/** Reads rows ordered by (created_at, id), a page at a time, and yields to the event loop after each. */
export async function* readPages<T extends { id: string; created_at: number }>(
  read: (after: { created_at: number; id: string }) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let after = { created_at: -1, id: '' }
  for (;;) {
    const rows = await read(after)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE_SIZE) return
    after = last
    await nextTurn()
  }
}
