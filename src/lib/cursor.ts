import { invalid } from './errors.ts'

/** Where a keyset page ended: the order it belongs to, the last row's sort value and id. */
export interface Cursor {
  order: string
  value: number
  id: string
}

const URL_SAFE = { '+': '-', '/': '_', '=': '' } as Record<string, string>

/** An opaque, address-safe text. */
export const encodeCursor = (at: Cursor): string =>
  btoa(JSON.stringify([at.order, at.value, at.id])).replace(/[+/=]/g, (c) => URL_SAFE[c]!)

const invalidCursor = () => invalid('La página pedida no existe.', { cursor: 'La página pedida no existe.' })

/**
 * Reads what `writeCursor` wrote. A cursor of another order would skip rows silently, so it is refused like a broken one.
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
  const [from, value, id] = parts as unknown[]
  if (from !== order || typeof value !== 'number' || !Number.isFinite(value) || typeof id !== 'string')
    throw invalidCursor()
  return { order, value, id }
}
