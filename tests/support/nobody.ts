import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Uid and gid of the user without rights on most systems. */
export const NOBODY_UID = 65_534

/** Gives a folder and all below to the user of as-nobody.ts. */
export function giveToNobody(folder: string): void {
  if (process.getuid!() !== 0) return
  for (const name of ['', ...readdirSync(folder, { recursive: true }).map(String)])
    chownSync(join(folder, name), NOBODY_UID, NOBODY_UID)
}
