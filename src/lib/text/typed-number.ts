/** What a person typed where a number is asked for. */
export type TypedNumber =
  /** Digits, with one comma or point at most. */
  | { kind: 'plain'; value: number }
  /** A positive number in another notation: «1e1», «+5», «0x10», «1.000,5». `value` is null where it may mean two. */
  | { kind: 'other'; value: number | null }
  | { kind: 'none' }

/** «22», «22,5», «22.5», «,5», «22,» */
const PLAIN_NUMBER = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/
/** «1.000,5», «1,000.5», «1 000 000»: groups of three need two separators, or a blank, to be told from a decimal part. */
const GROUPED_NUMBER = /^\d{1,3}(?:[.,'\u2019\s]\d{3})+(?:[.,]\d+)?$/

/**
 * Reads a number as people write it in Spain and elsewhere. A single comma or point is the decimal sign, so «1.000» is
 * one: of two readings a factor of thousand apart, the decimal one is the only one that a dog's weight can have.
 * The form and the API read alike, because the browser's own number field drops the comma in most languages.
 */
export function parseTypedNumber(typed: string): TypedNumber {
  const text = typed.trim()
  if (PLAIN_NUMBER.test(text)) return { kind: 'plain', value: Number(text.replace(',', '.')) }
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'))
  if (Number.isFinite(value) && value > 0) return { kind: 'other', value }
  return GROUPED_NUMBER.test(text) && /[1-9]/.test(text) ? { kind: 'other', value: null } : { kind: 'none' }
}

/** A number as a text field shows it: «22,5». */
export const formatTypedNumber = (value: number): string => String(value).replace('.', ',')
