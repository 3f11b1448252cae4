import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// What lies in the data is nobody else's business: other users of the machine read none of it.

/** Whatever this process and its children write from here on is theirs alone. To be said before anything is written. */
export const restrictUmask = (): void => void process.umask(0o077)

/** Takes from others what they were let have of `path`, which is a file or a folder; true where there was something. */
export function restrictToOwner(path: string): boolean {
  try {
    const info = lstatSync(path)
    // A link has no rights of its own; a folder with the sticky bit (/tmp) is everybody's.
    if (info.isSymbolicLink() || !(info.mode & 0o077) || info.mode & 0o1000) return false
    chmodSync(path, info.mode & 0o700)
    return true
  } catch {
    // Somebody else's file, or one that has just gone: the doctor tells of what stays open.
    return false
  }
}

/**
 * Closes a folder of data and what lies directly in it, which bars the way to all that is deeper: so much is done at every
 * start. The doctor looks at each file.
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
