import { invalid } from './errors.ts'

/** Longer than any id of a cursor: that of a search holds folded names, encoded. */
const MAX_ID_CHARS = 1500

/** The end of a keyset page: its order, and the last row's sort value and id. */
export interface Cursor {
  order: string
  /** A whole number, but for orders that say otherwise. */
  value: number
  id: string
  /** In an order by a value that changes: the `listMark` of the rows so far. */
  mark?: number | undefined
}

/** A page of what is newest of a dog, in values of a prepared query. */
export interface DogPage {
  dogId: string
  /** The reader; undefined for a visitor. */
  viewerId: string | undefined
  limit: number
  /** Of the row after which it begins: its time, ms, and id. */
  at?: number | undefined
  id?: string | undefined
}

/** A sum over ids, which changes where one comes or goes (SQL: db/list-mark.ts). @param ids UUIDs */
export const listMark = (ids: readonly string[]): number =>
  ids.reduce((sum, id) => sum + id.charCodeAt(0) * id.charCodeAt(2) + id.charCodeAt(4), 0)

const URL_SAFE = { '+': '-', '/': '_', '=': '' } as Record<string, string>

/** A cursor as an opaque text that is safe in addresses. */
export const encodeCursor = ({ order, value, id, mark }: Cursor): string =>
  btoa(JSON.stringify(mark === undefined ? [order, value, id] : [order, value, id, mark])).replace(
    /[+/=]/g,
    (c) => URL_SAFE[c] ?? c,
  )

const invalidCursor = () => invalid('La página pedida no existe.', { cursor: 'La página pedida no existe.' })

/**
 * Reads a text of `encodeCursor`. A cursor of another order would silently skip rows, so it is refused like a malformed one.
 * @param isValue whether a number is one of the order: PostgreSQL refuses those that its column cannot hold
 * @throws AppError 422
 */
export function decodeCursor(
  text: string,
  order: string,
  isValue: (value: unknown) => boolean = Number.isSafeInteger,
): Cursor {
  let parts: unknown
  try {
    parts = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    throw invalidCursor()
  }
  if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4) throw invalidCursor()
  const [cursorOrder, value, id, mark] = parts as unknown[]
  if (cursorOrder !== order || typeof value !== 'number' || !isValue(value)) throw invalidCursor()
  if (typeof id !== 'string' || id.length > MAX_ID_CHARS) throw invalidCursor()
  if (mark !== undefined && !Number.isSafeInteger(mark)) throw invalidCursor()
  return { order, value, id, ...(mark !== undefined && { mark: mark as number }) }
}
