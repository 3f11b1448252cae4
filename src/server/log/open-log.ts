import { pino } from 'pino'
import { type LogFields, type LogLevel, type Log, setLog } from './log.ts'
import { currentRequestId } from './request-id.ts'
import { isRouterLine } from './not-found-log.ts'
import { admitDiskFailure, isDiskFailure } from './disk-failures.ts'
import { formatConsoleArguments, toLoggedError, redact, type LoggedError } from './redact.ts'

export interface LogSettings {
  /** `json`: one JSON object a line, for machines. `pretty`: sentences, for a person at a terminal. `off`: nothing. */
  style: 'json' | 'pretty' | 'off'
  level: LogLevel
}

/** Levels of the methods of `console`. */
const CONSOLE_LEVELS: Record<string, LogLevel> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
}

interface LogLine extends LogFields {
  level: LogLevel
  msg: string
  req?: string
}

/** Opens the log of this server. From then on `console` writes into it too, from our code, Astro and any package. */
export function openLog({ style, level }: LogSettings): Log {
  const out = style === 'json' ? openJsonOutput() : { write: writePretty }
  // A full disk or a closed pipe costs lines, never the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const logger = pino(
    {
      level: style === 'off' ? 'silent' : level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({ req: currentRequestId() }),
    },
    out,
  )
  for (const [name, level] of Object.entries(CONSOLE_LEVELS))
    (console as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      if (isRouterLine(args)) return
      const { msg, ...rest } = formatConsoleArguments(args)
      const diskFailure = args.find((arg) => arg instanceof Error && isDiskFailure(arg))
      if (diskFailure && !admitDiskFailure(msg, diskFailure)) return
      logger[level](rest, msg)
    }
  // Node still ends the process; the log records why.
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: toLoggedError(error) }, redact(error.message)))
  const log: Log = {
    write: (level, msg, fields = {}) => logger[level](fields, msg),
    isSilent: style === 'off',
    isTerminal: style === 'pretty' && process.stdout.isTTY,
  }
  setLog(log)
  return log
}

/** Lines that cannot be written wait up to this size in total and are discarded beyond it, bytes. */
const UNWRITTEN_MAX_BYTES = 1024 * 1024

/**
 * stdout for lines of JSON. Lines that cannot be written wait, up to UNWRITTEN_MAX_BYTES, for the next one that can.
 * Synchronous, as pino's default is: nothing is left to flush at the end. `flushSync` of sonic-boom 4, which pino calls
 * after a fatal line and at the exit of an asynchronous destination, retries for ever where the disk is full (ENOSPC).
 */
function openJsonOutput() {
  const out = pino.destination({ dest: 1, sync: true, maxLength: UNWRITTEN_MAX_BYTES, retryEAGAIN: () => false })
  out.flushSync = () => {}
  return out.on('error', () => {})
}

/** Writes «perrario · listo en …»; a failure with its stack and the request's id. */
function writePretty(text: string): void {
  const { level, msg, req, err, ms } = JSON.parse(text) as LogLine & { err?: LoggedError }
  const stack = err ? `\n${formatStack(err)}` : ''
  const line = `perrario · ${msg}${ms === undefined ? '' : ` (${ms} ms)`}${req ? ` [${req}]` : ''}${stack}\n`
  ;(level === 'info' || level === 'debug' ? process.stdout : process.stderr).write(line)
}

const formatStack = ({ stack, type, message, cause }: LoggedError): string =>
  (stack ?? `${type}: ${message}`) + (cause ? `\n  ← ${formatStack(cause)}` : '')
