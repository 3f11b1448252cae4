export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What a line says besides its sentence: names and numbers of ours, never what a person typed. */
export type LogFields = Record<string, string | number | boolean | undefined>

export interface Log {
  write: (level: LogLevel, msg: string, fields?: LogFields) => void
  /** True where no line is written (LOG=off). */
  isSilent: boolean
  /** True where a person reads at a terminal, and may be told what no log may hold: what is redirected is kept. */
  isTerminal: boolean
}

let activeLog: Log | undefined

/** From here on `log()` is this one. */
export const setLog = (log: Log | undefined): void => void (activeLog = log)

/** The log; before it is open, and in programs without one, the console. */
const consoleLog: Log = {
  write: (level, msg) => console[level](`perrario · ${msg}`),
  isSilent: false,
  isTerminal: process.stdout.isTTY,
}
export const log = (): Log => activeLog ?? consoleLog
