// The folder in memory for what tests write: databases and photos of servers, browsers' profiles, PostgreSQL's data. Nothing of it must
// outlive a run, and a test server is killed, never cut from its power: on a disk each file would wait for it, to be made and to be removed.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. Containers often have 64 MB of it. */
const MEMORY_DISK = '/dev/shm'
const PREFIX = 'perrario-tests-'
/** Twenty times what a run has there at once, and room for its browsers beside it. */
const MIN_FREE_BYTES = 4 * 1024 ** 3
const MIN_FREE_MEMORY_BYTES = 6 * 1024 ** 3

const isRunning = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether there is room in memory. A TMPDIR of one's own is respected. */
function hasRoom() {
  if (process.env.TMPDIR || !existsSync(MEMORY_DISK)) return false
  const { bavail, bsize } = statfsSync(MEMORY_DISK)
  return bavail * bsize >= MIN_FREE_BYTES && freemem() >= MIN_FREE_MEMORY_BYTES
}

/**
 * Opens this run's folder, and removes what it can of those of runs that were killed.
 * @returns {{ env: Record<string, string>, remove: () => void }} what test processes have for it; nothing where there is no room
 */
export function openTestFolder() {
  if (!hasRoom()) return { env: {}, remove: () => {} }
  for (const name of readdirSync(MEMORY_DISK))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      removeLeftover(join(MEMORY_DISK, name))
  const folder = join(MEMORY_DISK, `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  // As /tmp: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  return { env: { TMPDIR: folder }, remove: () => removeFolder(folder) }
}

/** A file system that a killed test has mounted there stays: it keeps no other run from starting. */
function removeLeftover(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.warn(`perrario · ${folder}: ${error.message}`)
  }
}

/** The tests' PostgreSQL ends after the run, and removes its folder itself; the next run removes what is then left, an empty one. */
function removeFolder(folder) {
  for (const name of readdirSync(folder))
    if (!name.startsWith('perrario-postgres-')) rmSync(join(folder, name), { recursive: true, force: true })
  try {
    rmdirSync(folder)
  } catch {
    // Not empty yet.
  }
}
