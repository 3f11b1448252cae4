import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { explainFailure } from '#features/maintenance/files.server.ts'
import { openBucket } from '#features/storage/open-store.server.ts'
import { type Env, EnvError, getEnv } from '#server/env.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'

/** How long one request to a bucket may take: nobody waits for a page. */
const BUCKET_TIMEOUT_MS = 60_000

/** Prints a line with the program's name. */
export const print = (text: string): void => console.log(`perrario · ${text}`)

/** Opens the bucket of the settings for a command, which prints itself why it failed, and says when it waits. */
export const openCommandBucket = (env: Env) =>
  openBucket(env, {
    timeoutMs: BUCKET_TIMEOUT_MS,
    isLogged: false,
    onSlow: () => print(`el bucket de las fotos tarda: se le espera hasta ${BUCKET_TIMEOUT_MS / 1000} s…`),
  })

/** Prints one line and exits. */
export function exitWithError(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

/**
 * Reads the command line and the environment. Exits with `usage` on --help (0) and on a flag that is not known (2).
 * @param knownFlags flags without a value
 * @param valueFlags flags whose value may follow
 * @returns the arguments that are no flags, whether a flag is present, its value, and the environment
 */
export function startCommand<F extends string, V extends string = never>(
  usage: string,
  knownFlags: readonly F[],
  valueFlags: readonly V[] = [],
) {
  restrictUmask()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { values, positionals, tokens } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(knownFlags.map((name) => [name, { type: 'boolean' as const }])),
      ...Object.fromEntries(valueFlags.map((name) => [name, { type: 'string' as const }])),
    },
    strict: false,
    tokens: true,
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const known: readonly string[] = [...knownFlags, ...valueFlags]
  const unknownFlag = tokens.find((token) => token.kind === 'option' && !known.includes(token.name))
  if (unknownFlag?.kind === 'option') exitWithError(`no entiendo «${unknownFlag.rawName}».\n\n${usage}`, 2)
  const valueOf = (name: V): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const hasFlag = (name: F | V): boolean => values[name] !== undefined
  return { hasFlag, valueOf, words: positionals, env: readEnvOrExit() }
}

function readEnvOrExit(): Env {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) exitWithError(error.message)
    throw error
  }
}

/**
 * Awaits an action. On a failure that the operator can mend (a `MaintenanceError`, a missing permission, a bucket or a PostgreSQL that
 * is unavailable) it calls `onFailure`, prints one line and exits with 1.
 */
export async function runOrExit<T>(action: Promise<T>, onFailure?: (text: string) => Promise<void>): Promise<T> {
  try {
    return await action
  } catch (error) {
    const text = explainFailure(error)
    if (text === null) throw error
    await onFailure?.(text)
    exitWithError(text)
  }
}
