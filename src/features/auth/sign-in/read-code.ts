import { findCode } from '#lib/text/typed-code.ts'

export const CODE_FORM = /^\d{6}$/
/** The six digits as they are typed, or pasted with words around them; null where there are none. */
export const readCode = (typed: string): string | null =>
  findCode(typed, CODE_FORM, (piece) => piece.replace(/[-–—.]/g, ''))
