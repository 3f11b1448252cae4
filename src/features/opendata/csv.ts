import { COLUMNS, type DogRecord } from './datasets.ts'

/** So that a spreadsheet that asks nobody reads UTF-8. */
const BOM = '\uFEFF'

/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), in its wide forms too. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A cell: numbers bare, texts in quotes (RFC 4180). A text that a spreadsheet would run gets an apostrophe before it, which
 * makes it a text there.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return String(value)
  return `"${(FORMULA_START.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}

/** The first line, with the mark of UTF-8 before it. */
export const csvHead = (): string => `${BOM}${COLUMNS.join(',')}\r\n`

export const csvLine = (dog: DogRecord): string => `${COLUMNS.map((name) => csvCell(dog[name])).join(',')}\r\n`
