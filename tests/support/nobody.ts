import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The user without rights of most systems. */
export const NOBODY = 65_534

/** Gives a folder and all below to whom as-nobody.ts becomes. */
export function giveToNobody(folder: string): void {
  if (process.getuid!() !== 0) return
  for (const name of ['', ...readdirSync(folder, { recursive: true }).map(String)])
    chownSync(join(folder, name), NOBODY, NOBODY)
}
