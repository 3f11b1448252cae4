import { inspect } from 'node:util'
import { errorCode } from '#lib/error-code.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { storageErrorText } from '#lib/storage-error-text.ts'

/** A token that may be a mail address. One character class and nothing after it: linear time for every text. */
const TOKEN = /[^\s<>"'()«»,;:=/]+/g
const AT_SIGN = /@|%40/i
/** A query, which may hold secrets. Neither part may match what ends it, so no character is read twice. */
const QUERY = /\?[^\s"'<>()«»?=]*=[^\s"'<>()«»]*/g

/** Characters of one text that a line shows: error messages repeat requested addresses, which may be as long as a request. */
const TEXT_MAX_CHARS = 2000
/** Characters of a stack: some twenty frames with the paths of files. */
const STACK_MAX_CHARS = 8000

/** A truncated address counts too: the name before the sign is what identifies a person. */
const redactEmail = (token: string): string => (token.search(AT_SIGN) > 0 ? '…@…' : token)

const truncate = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** `text` without queries and mail addresses, which no log needs, truncated to `max` characters first. */
export const redact = (text: string, max = TEXT_MAX_CHARS): string =>
  truncate(text, max).replace(QUERY, '?…').replace(TOKEN, redactEmail)

/** An error as it is logged. Its other fields are left out: those of a failed mail name its recipient. */
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

/** The sentence of an error; of one that collects the failures of all addresses of a name, the first one's. */
const messageOf = (error: Error): string =>
  error.message || (error instanceof AggregateError ? String(error.errors[0]?.message ?? '') : '')

/** Why, in Spanish, and on which path: disks may be several. */
function diskFailureText(error: Error): string {
  const { path } = error as NodeJS.ErrnoException
  const text = storageErrorText(error)
  return typeof path === 'string' && !text.includes(path) ? `${text}, ${path}` : text
}

/**
 * The arguments of a `console` call as one sentence and the error among them. The output adds «perrario · » itself. A connection
 * or a disk that fails has no error beside its sentence: its stack is the driver's own, and an outage would log it many times.
 */
export function formatConsoleArguments(args: readonly unknown[]): { msg: string; err?: LoggedError; code?: string } {
  const error = args.find((arg) => arg instanceof Error)
  const words = args
    .filter((arg) => arg !== error)
    .slice(0, MAX_ARGUMENTS)
    .map((arg) => redact(typeof arg === 'string' ? arg : inspect(arg, INSPECT_OPTIONS)))
  const sentence = words.join(' ').replace(/^perrario · /, '')
  const failure = error && findStorageFailure(error)
  if (failure && failure !== 'busy') {
    const reason = redact(failure === 'unavailable' ? messageOf(error) : diskFailureText(error))
    const code = errorCode(error)
    return { msg: sentence ? `${sentence.replace(/:$/, '')}: ${reason}` : reason, ...(code && { code }) }
  }
  const msg = sentence || redact(error?.message ?? '')
  return { msg, ...(error && { err: toLoggedError(error) }) }
}
