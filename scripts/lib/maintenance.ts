import { existsSync } from 'node:fs'
import { MaintenanceError } from '#features/maintenance/maintenance.ts'
import { permissionText } from '#features/maintenance/files.server.ts'
import { type Env, EnvError, getEnv } from '#server/env.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'

export const print = (text: string): void => console.log(`perrario · ${text}`)

/** One clear line and the end. */
export function exitWithError(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

/**
 * The words of the command line, which of `known` flags are among them, and the environment. Ends with `usage` for --help
 * (exit 0) and for flags it does not know (exit 2).
 */
export function startCommand<T extends string>(usage: string, known: readonly T[]) {
  restrictUmask()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = process.argv.slice(2)
  if (given.includes('--help') || given.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  const flags = given.filter((word) => word.startsWith('-'))
  const strange = flags.find((flag) => !known.some((name) => flag === `--${name}`))
  if (strange) exitWithError(`no entiendo «${strange}».\n\n${usage}`, 2)
  const words = given.filter((word) => !word.startsWith('-'))
  return { has: (name: T) => flags.includes(`--${name}`), words, env: readEnvOrExit() }
}

function readEnvOrExit(): Env {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) exitWithError(error.message)
    throw error
  }
}

/** Runs a deed; what it foresaw to go wrong, and a missing permission, is one line and exit 1. */
export async function runOrExit<T>(deed: Promise<T>, onFailure?: (text: string) => Promise<void>): Promise<T> {
  try {
    return await deed
  } catch (error) {
    const denied = permissionText(error)
    const text = error instanceof MaintenanceError ? error.message : denied && `${denied}.`
    if (text === null) throw error
    await onFailure?.(text)
    exitWithError(text)
  }
}
