import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// Other users of the machine must not read the data.

/** Makes files that this process and its children create readable by their owner only. Call it before anything is written. */
export const restrictUmask = (): void => void process.umask(0o077)

/** Removes the rights of group and others from a file or folder. @returns true where there were any */
export function restrictToOwner(path: string): boolean {
  try {
    const info = lstatSync(path)
    // A link has no rights of its own; a folder with the sticky bit (/tmp) is everybody's.
    if (info.isSymbolicLink() || !(info.mode & 0o077) || info.mode & 0o1000) return false
    chmodSync(path, info.mode & 0o700)
    return true
  } catch {
    // Another user's file, or one that was just deleted: the doctor reports files that stay readable.
    return false
  }
}

/**
 * Restricts a data folder and its direct entries, which closes everything below them. Runs at every start; the doctor checks
 * each file.
 */
export function restrictFolder(folder: string): void {
  restrictToOwner(folder)
  for (const name of listNames(folder)) restrictToOwner(join(folder, name))
}

function listNames(folder: string): string[] {
  try {
    return lstatSync(folder).mode & 0o1000 ? [] : readdirSync(folder)
  } catch {
    return []
  }
}
