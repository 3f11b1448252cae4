/** What stands around codes in sentences and addresses; within a code, people write spaces. */
const AROUND = /[\s/«»"“”'<>()[\],:;.…!?]+/
/** Longer texts are no code with some words around it. */
const MAX_CHARS = 300

/**
 * The code in what somebody copied from paper or pasted with words around it («Tu código es 123 456.»); null where there is none.
 * @param form what a code is, without separators
 * @param read how a piece of it is read: in lower case, without hyphens
 */
export function findCode(typed: string, form: RegExp, read = (piece: string) => piece): string | null {
  if (typed.length > MAX_CHARS) return null
  const pieces = typed.split(AROUND).map((piece) => read(piece))
  for (let count = 1; count <= pieces.length; count++)
    for (let first = 0; first + count <= pieces.length; first++) {
      const code = pieces.slice(first, first + count).join('')
      if (form.test(code)) return code
    }
  return null
}

/** A code that is mailed. */
export const CODE_FORM = /^\d{6}$/
/** The six digits as they are typed, or pasted with words around them; null where there are none. */
export const readCode = (typed: string): string | null =>
  findCode(typed, CODE_FORM, (piece) => piece.replace(/[-–—.]/g, ''))
