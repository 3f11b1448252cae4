import { inspect } from 'node:util'

/** Addresses of people, and queries, which may hold tokens: no log needs either. */
const MAIL = /[^\s<>"'()«»,;:=/]+(?:@|%40)[^\s<>"'()«»,;:=]+\.[a-z]{2,}/gi
const QUERY = /\?[^\s"'<>()«»?]*=[^\s"'<>()«»]*/g

/** `text` without what tells of a person. */
export const tidy = (text: string): string => text.replace(MAIL, '…@…').replace(QUERY, '?…')

/** An error as a log tells it. Its other fields are left out: those of a mail that failed name whom it was for. */
export interface ToldError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ToldError
}

const DEEPEST = 3

export function tellError(error: Error, depth = 0): ToldError {
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: tidy(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack && { stack: tidy(error.stack) }),
    ...(cause instanceof Error && depth < DEEPEST && { cause: tellError(cause, depth + 1) }),
  }
}

/** What was given to `console.…` as one sentence and the error in it. Our own «perrario · » is put before by who shows it. */
export function tellArguments(args: readonly unknown[]): { msg: string; err?: ToldError } {
  const error = args.find((arg) => arg instanceof Error)
  const words = args
    .filter((arg) => arg !== error)
    .map((arg) => (typeof arg === 'string' ? arg : inspect(arg, { depth: 2, breakLength: Infinity })))
  const msg = tidy(words.join(' ').replace(/^perrario · /, '')) || tidy(error?.message ?? '')
  return { msg, ...(error && { err: tellError(error) }) }
}
