import { existsSync } from 'node:fs'
import { CareError } from '#features/care/care.ts'
import { permissionText } from '#features/care/files.server.ts'
import { type Env, EnvError, getEnv } from '#server/env.ts'
import { keepToOurselves } from '#server/rights.ts'

export const say = (text: string): void => console.log(`perrario · ${text}`)

/** One clear line and the end. */
export function refuse(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

/**
 * The words of the command line, which of `known` flags are among them, and the environment. Ends with `usage` for --help
 * (exit 0) and for flags it does not know (exit 2).
 */
export function begin<T extends string>(usage: string, known: readonly T[]) {
  keepToOurselves()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = process.argv.slice(2)
  if (given.includes('--help') || given.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  const flags = given.filter((word) => word.startsWith('-'))
  const strange = flags.find((flag) => !known.some((name) => flag === `--${name}`))
  if (strange) refuse(`no entiendo «${strange}».\n\n${usage}`, 2)
  const words = given.filter((word) => !word.startsWith('-'))
  return { has: (name: T) => flags.includes(`--${name}`), words, env: readEnv() }
}

function readEnv(): Env {
  try {
    return getEnv()
  } catch (error) {
    if (error instanceof EnvError) refuse(error.message)
    throw error
  }
}

/** Runs a deed; what it foresaw to go wrong, and a missing permission, is one line and exit 1. */
export async function attempt<T>(deed: Promise<T>, onFailure?: (text: string) => Promise<void>): Promise<T> {
  try {
    return await deed
  } catch (error) {
    const denied = permissionText(error)
    const text = error instanceof CareError ? error.message : denied && `${denied}.`
    if (text === null) throw error
    await onFailure?.(text)
    refuse(text)
  }
}
