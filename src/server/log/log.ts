export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Fields of a line beside its sentence: our own names and numbers, never what a person typed. */
export type LogFields = Record<string, string | number | boolean | undefined>

export interface Log {
  write: (level: LogLevel, msg: string, fields?: LogFields) => void
  /** True where no line is written (LOG=off). */
  isSilent: boolean
  /** True where a person reads at a terminal. Sign-in links are printed only there: redirected output is stored. */
  isTerminal: boolean
}

let activeLog: Log | undefined

/** Sets the log that `log()` returns from now on; undefined: the console. */
export const setLog = (log: Log | undefined): void => void (activeLog = log)

/** The log of programs that open none, and of the time before it is open. */
const consoleLog: Log = {
  write: (level, msg) => console[level](`perrario · ${msg}`),
  isSilent: false,
  isTerminal: process.stdout.isTTY,
}
/** The open log, or the console. */
export const log = (): Log => activeLog ?? consoleLog
