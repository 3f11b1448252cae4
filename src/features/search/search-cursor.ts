import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { invalid } from '#lib/errors.ts'
import type { SearchKind } from './search.ts'

/** The order of a cursor: one kind and text. Encoded, because cursors are ASCII and names are not. */
const cursorOrder = (kind: SearchKind, plain: string) => encodeURIComponent(`${kind} ${plain}`)

export const writeSearchCursor = (
  kind: SearchKind,
  plain: string,
  value: number,
  parts: readonly string[] = [],
): string => encodeCursor({ order: cursorOrder(kind, plain), value, id: encodeURIComponent(JSON.stringify(parts)) })

/** @throws AppError 422 for a cursor that `writeSearchCursor` did not write for this kind and text with `count` parts */
export function readSearchCursor(
  text: string,
  kind: SearchKind,
  plain: string,
  count = 0,
): { value: number; parts: string[] } {
  const { value, id } = decodeCursor(text, cursorOrder(kind, plain))
  const parts = parseParts(id)
  if (!Number.isInteger(value) || value < 0 || parts?.length !== count) throw invalid('La página pedida no existe.')
  return { value, parts }
}

function parseParts(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null
  } catch {
    return null
  }
}
