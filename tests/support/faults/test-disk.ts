import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '#lib/error-code.ts'

/** True where a running process can be forbidden to write (Linux). */
export const canForbidWriting = (() => {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const setFileSizeLimit = (pid: number, bytes: string) =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

/** From now on the system lets this process write to no file (EFBIG), as a full disk would; pipes and sockets work. */
export const forbidWriting = (pid: number): void => void setFileSizeLimit(pid, '1')

export const allowWriting = (pid: number): void => void setFileSizeLimit(pid, 'unlimited')

/** A disk of a test's own that can fail as real ones do. */
export interface TestDisk {
  dir: string
  /**
   * From now on it is read-only, also for who has files on it open (EROFS): what Linux does when a disk reports errors.
   * What was written before is on it.
   */
  fail: () => void
  /** Checked and mounted anew, as an operator would; nobody may be using it. */
  repair: () => void
  /** Mounts one of its folders or files read-only over itself; the function it answers takes that back. */
  lock: (path: string) => () => void
  /** Writes until nothing more fits (ENOSPC); the function it answers makes room again. */
  fill: () => () => void
  /** Takes back all that is locked, for a test that broke off: what is locked cannot be deleted. */
  unlock: () => void
  dispose: () => void
}

/** Enough for the doctor not to complain; what is not written takes no room. */
const DISK_MB = 4096

function writeUntilFull(file: number, data: Buffer): void {
  try {
    for (;;) writeSync(file, data)
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  }
}

/** An ext4 disk in a file of its own, or why there is none here: it takes root, a loop device and e2fsprogs. */
export function mountTestDisk(diskMb = DISK_MB): TestDisk | { missing: string } {
  const root = mkdtempSync(join(tmpdir(), 'perrario-disk-'))
  const [image, dir] = [join(root, 'disk.img'), join(root, 'disk')]
  const run = (...[command, ...words]: [string, ...string[]]) => {
    const { status, error, stderr } = spawnSync(command, words, { encoding: 'utf8' })
    if (status === 0) return
    throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stderr.trim().split('\n')[0]}`)
  }
  const mount = () => run('mount', '-o', 'loop', image, dir)
  mkdirSync(dir)
  writeFileSync(image, '')
  truncateSync(image, diskMb * 1024 * 1024)
  try {
    // Without blocks for root alone, and with those of larger disks: smaller ones cannot map SQLite's shared memory when full.
    run('mkfs.ext4', '-q', '-F', '-m', '0', '-b', '4096', image)
    mount()
  } catch (error) {
    rmSync(root, { recursive: true })
    return { missing: (error as Error).message }
  }
  const locked = new Set<string>()
  // Also where the test itself breaks off: no mount is left behind.
  const dispose = () => {
    for (const path of [...locked, dir]) spawnSync('umount', ['-l', path])
    rmSync(root, { recursive: true, force: true })
  }
  process.once('exit', dispose)
  return {
    dir,
    fail() {
      run('sync', '-f', dir)
      run('mount', '-o', 'remount,abort', dir)
    },
    repair() {
      run('umount', dir)
      // 1: it had something to repair.
      const { status, stdout } = spawnSync('e2fsck', ['-p', image], { encoding: 'utf8' })
      if (status === null || status > 1) throw new Error(`e2fsck: ${stdout}`)
      mount()
    },
    lock(path) {
      run('mount', '--bind', path, path)
      locked.add(path)
      run('mount', '-o', 'remount,ro,bind', path)
      return () => {
        // At once for who opens it from now on: a photo may be on its way out still.
        run('umount', '-l', path)
        locked.delete(path)
      }
    },
    fill() {
      const file = join(dir, 'filler')
      const filler = openSync(file, 'w')
      try {
        // The last bytes, too.
        for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) writeUntilFull(filler, Buffer.alloc(bytes, 1))
      } finally {
        closeSync(filler)
      }
      return () => rmSync(file)
    },
    unlock() {
      for (const path of locked) spawnSync('umount', ['-l', path])
      locked.clear()
    },
    dispose() {
      process.off('exit', dispose)
      dispose()
    },
  }
}
