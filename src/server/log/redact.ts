import { inspect } from 'node:util'

/** What may hold the address of a person. One class and nothing after it: time grows with the text, whatever it holds. */
const TOKEN = /[^\s<>"'()«»,;:=/]+/g
const AT_SIGN = /@|%40/i
/** Queries may hold tokens. Neither part may match what ends it, so nothing is read twice. */
const QUERY = /\?[^\s"'<>()«»?=]*=[^\s"'<>()«»]*/g

/** How many characters of one text a line tells: what is asked for comes back in messages, and may be as long as a request. */
const TEXT_MAX_CHARS = 2000
/** A stack has some twenty frames of addresses of files. */
const STACK_MAX_CHARS = 8000

/** An address that was cut in its middle still counts as one: what matters is that somebody's name stands before the sign. */
const redactEmail = (token: string): string => (token.search(AT_SIGN) > 0 ? '…@…' : token)

const truncate = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** `text` without what tells of a person: no log needs it. It is cut to `max` characters before anything looks at it. */
export const redact = (text: string, max = TEXT_MAX_CHARS): string =>
  truncate(text, max).replace(QUERY, '?…').replace(TOKEN, redactEmail)

/** An error as a log tells it. Its other fields are left out: those of a mail that failed name whom it was for. */
export interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

const MAX_CAUSE_DEPTH = 3

export function toLoggedError(error: Error, depth = 0): LoggedError {
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: error.name,
    message: redact(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack && { stack: redact(error.stack, STACK_MAX_CHARS) }),
    ...(cause instanceof Error && depth < MAX_CAUSE_DEPTH && { cause: toLoggedError(cause, depth + 1) }),
  }
}

const MAX_ARGUMENTS = 20
const INSPECT_OPTIONS = { depth: 2, breakLength: Infinity, maxStringLength: TEXT_MAX_CHARS }

/** What was given to `console.…` as one sentence and the error in it. Our own «perrario · » is put before by who shows it. */
export function formatConsoleArguments(args: readonly unknown[]): { msg: string; err?: LoggedError } {
  const error = args.find((arg) => arg instanceof Error)
  const words = args
    .filter((arg) => arg !== error)
    .slice(0, MAX_ARGUMENTS)
    .map((arg) => redact(typeof arg === 'string' ? arg : inspect(arg, INSPECT_OPTIONS)))
  const msg = words.join(' ').replace(/^perrario · /, '') || redact(error?.message ?? '')
  return { msg, ...(error && { err: toLoggedError(error) }) }
}
