import { readCursor, writeCursor } from '#lib/cursor.ts'
import { invalid } from '#lib/errors.ts'
import type { Kind } from './search.ts'

/** Of one kind and text; cursors are plain letters, which names are not. */
const orderOf = (kind: Kind, plain: string) => encodeURIComponent(`${kind} ${plain}`)

export const writePlace = (kind: Kind, plain: string, value: number, parts: readonly string[] = []): string =>
  writeCursor({ order: orderOf(kind, plain), value, id: encodeURIComponent(JSON.stringify(parts)) })

/** @throws AppError 422 for what `writePlace` did not write for this kind and text, or holds other than `count` parts */
export function readPlace(text: string, kind: Kind, plain: string, count = 0): { value: number; parts: string[] } {
  const { value, id } = readCursor(text, orderOf(kind, plain))
  const parts = partsOf(id)
  if (!Number.isInteger(value) || value < 0 || parts?.length !== count) throw invalid('La página pedida no existe.')
  return { value, parts }
}

function partsOf(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null
  } catch {
    return null
  }
}
