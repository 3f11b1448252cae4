import { COLUMNS, type DogRecord } from './datasets.ts'

/** Makes spreadsheets read the file as UTF-8. */
const BOM = '\uFEFF'

/** Separator and decimal sign: of RFC 4180, and of spreadsheets in Spanish. */
export const PLAIN = ',.'
export const SPANISH = ';,'

/** The characters with which a spreadsheet formula begins (OWASP, CSV injection), also in fullwidth form. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * Formats a cell: numbers bare, texts in quotes (RFC 4180). A text that a spreadsheet would run as a formula gets a leading
 * apostrophe, which makes it a text there.
 */
export function csvCell(value: string | number | null, style = PLAIN): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return String(value).replace('.', style[1]!)
  return `"${(FORMULA_START.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}

/** The header line, after the byte order mark. */
export const csvHead = (style = PLAIN): string => `${BOM}${COLUMNS.join(style[0])}\r\n`

export const csvLine = (dog: DogRecord, style = PLAIN): string =>
  `${COLUMNS.map((name) => csvCell(dog[name], style)).join(style[0])}\r\n`
