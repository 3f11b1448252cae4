import { execFileSync } from 'node:child_process'

/** True where a running process can be forbidden to write (Linux). */
export const canForbidWriting = (() => {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const limit = (pid: number, bytes: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

/** From now on the system lets this process write to no file (EFBIG), as a full disk would; pipes and sockets work. */
export const forbidWriting = (pid: number): void => void limit(pid, '1')

export const allowWriting = (pid: number): void => void limit(pid, 'unlimited')
