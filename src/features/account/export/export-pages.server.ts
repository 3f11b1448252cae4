import { setImmediate as nextTurn } from 'node:timers/promises'

export const EXPORT_PAGE_SIZE = 200
/** Of rows with a photo of some hundred kB each. */
export const PHOTO_PAGE_SIZE = 20

/**
 * Reads rows ordered by (created_at, id), a page at a time, and yields to the event loop after each.
 * @param pageSize the limit of `read`
 */
export async function* readPages<T extends { id: string; created_at: number }>(
  read: (after: { created_at: number; id: string }) => Promise<T[]>,
  pageSize = EXPORT_PAGE_SIZE,
): AsyncGenerator<T[]> {
  let after = { created_at: -1, id: '' }
  for (;;) {
    const rows = await read(after)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last
    await nextTurn()
  }
}
