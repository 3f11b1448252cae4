/** A typed number, by its notation. */
export type TypedNumber =
  /** Digits with at most one comma or point. */
  | { kind: 'plain'; value: number }
  /** Positive in another notation: «1e1», «+5», «0x10», «1.000,5», «1,2,3», «5 o 6». `value` is null where it is ambiguous. */
  | { kind: 'other'; value: number | null }
  /** Zero, a negative number, or a text without digits. */
  | { kind: 'none' }

/** «22», «22,5», «22.5», «,5», «22,» */
const PLAIN_NUMBER = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/

/**
 * Parses a number in Spanish and other notations. A single comma or point is the decimal sign, so «1.000» is one: a dog cannot
 * weigh the thousandfold. The form and the API share it, because the browser's own number field drops the comma in most languages.
 */
export function parseTypedNumber(typed: string): TypedNumber {
  const text = typed.trim()
  if (PLAIN_NUMBER.test(text)) return { kind: 'plain', value: Number(text.replace(',', '.')) }
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'))
  if (Number.isFinite(value) && value > 0) return { kind: 'other', value }
  const isPositive = !(value <= 0) && /(?!0)\p{N}/u.test(text) && !/^[-\u2010-\u2015\u2212]/.test(text)
  return isPositive ? { kind: 'other', value: null } : { kind: 'none' }
}

/** A number for a text field: «22,5». */
export const formatTypedNumber = (value: number): string => String(value).replace('.', ',')
