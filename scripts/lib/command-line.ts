import { existsSync } from 'node:fs'
import { MaintenanceError } from '#features/maintenance/maintenance.ts'
import { explainError, permissionText } from '#features/maintenance/files.server.ts'
import { StoreAwayError } from '#features/storage/store-away.ts'
import { type Env, EnvError, getEnv } from '#server/env.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'

/** How long one request to a bucket may take: nobody waits for a page. */
export const BUCKET_TIMEOUT_MS = 60_000

/** Prints a line with the program's name. */
export const print = (text: string): void => console.log(`perrario · ${text}`)

/** Prints one line and exits. */
export function exitWithError(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

/**
 * Reads the command line and the environment. Exits with `usage` on --help (0) and on a flag not in `knownFlags` (2).
 * @returns the arguments that are no flags, whether a flag is present, and the environment
 */
export function startCommand<T extends string>(usage: string, knownFlags: readonly T[]) {
  restrictUmask()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  const flags = args.filter((word) => word.startsWith('-'))
  const unknownFlag = flags.find((flag) => !knownFlags.some((name) => flag === `--${name}`))
  if (unknownFlag) exitWithError(`no entiendo «${unknownFlag}».\n\n${usage}`, 2)
  const words = args.filter((word) => !word.startsWith('-'))
  return { hasFlag: (name: T) => flags.includes(`--${name}`), words, env: readEnvOrExit() }
}

function readEnvOrExit(): Env {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) exitWithError(error.message)
    throw error
  }
}

/** Awaits an action. On a `MaintenanceError`, a missing permission or a bucket that is away it calls `onFailure`, prints one line and exits with 1. */
export async function runOrExit<T>(action: Promise<T>, onFailure?: (text: string) => Promise<void>): Promise<T> {
  try {
    return await action
  } catch (error) {
    const denied = permissionText(error)
    const away = error instanceof StoreAwayError ? explainError(error) : denied
    const text = error instanceof MaintenanceError ? error.message : away && `${away}.`
    if (text === null) throw error
    await onFailure?.(text)
    exitWithError(text)
  }
}
