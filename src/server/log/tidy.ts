import { inspect } from 'node:util'

/** What may hold the address of a person. One class and nothing after it: time grows with the text, whatever it holds. */
const TOKEN = /[^\s<>"'()«»,;:=/]+/g
const AT = /@|%40/i
/** Queries may hold tokens. Neither part may match what ends it, so nothing is read twice. */
const QUERY = /\?[^\s"'<>()«»?=]*=[^\s"'<>()«»]*/g

/** How many characters of one text a line tells: what is asked for comes back in messages, and may be as long as a request. */
const TEXT_MAX = 2000
/** A stack has some twenty frames of addresses of files. */
const STACK_MAX = 8000

/** An address that was cut in its middle still counts as one: what matters is that somebody's name stands before the sign. */
const hideAddress = (token: string): string => (token.search(AT) > 0 ? '…@…' : token)

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** `text` without what tells of a person: no log needs it. It is cut to `max` characters before anything looks at it. */
export const tidy = (text: string, max = TEXT_MAX): string =>
  cut(text, max).replace(QUERY, '?…').replace(TOKEN, hideAddress)

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
    ...(error.stack && { stack: tidy(error.stack, STACK_MAX) }),
    ...(cause instanceof Error && depth < DEEPEST && { cause: tellError(cause, depth + 1) }),
  }
}

const ARGUMENTS_MAX = 20
const INSPECT = { depth: 2, breakLength: Infinity, maxStringLength: TEXT_MAX }

/** What was given to `console.…` as one sentence and the error in it. Our own «perrario · » is put before by who shows it. */
export function tellArguments(args: readonly unknown[]): { msg: string; err?: ToldError } {
  const error = args.find((arg) => arg instanceof Error)
  const words = args
    .filter((arg) => arg !== error)
    .slice(0, ARGUMENTS_MAX)
    .map((arg) => tidy(typeof arg === 'string' ? arg : inspect(arg, INSPECT)))
  const msg = words.join(' ').replace(/^perrario · /, '') || tidy(error?.message ?? '')
  return { msg, ...(error && { err: tellError(error) }) }
}
