import { invalid } from './errors.ts'

/** The end of a keyset page: its order, and the last row's sort value and id. */
export interface Cursor {
  order: string
  value: number
  id: string
}

const URL_SAFE = { '+': '-', '/': '_', '=': '' } as Record<string, string>

/** A cursor as an opaque text that is safe in addresses. */
export const encodeCursor = ({ order, value, id }: Cursor): string =>
  btoa(JSON.stringify([order, value, id])).replace(/[+/=]/g, (c) => URL_SAFE[c] ?? c)

const invalidCursor = () => invalid('La página pedida no existe.', { cursor: 'La página pedida no existe.' })

/**
 * Reads a text of `encodeCursor`. A cursor of another order would silently skip rows, so it is refused like a malformed one.
 * @throws AppError 422
 */
export function decodeCursor(text: string, order: string): Cursor {
  let parts: unknown
  try {
    parts = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    throw invalidCursor()
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw invalidCursor()
  const [cursorOrder, value, id] = parts as unknown[]
  if (cursorOrder !== order || typeof value !== 'number' || !Number.isFinite(value) || typeof id !== 'string')
    throw invalidCursor()
  return { order, value, id }
}
