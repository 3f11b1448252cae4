import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What a process uses at one moment. */
export interface ProcessUsage {
  /** Resident memory, bytes. */
  resident: number
  /** Processor time since its start, ms. */
  cpu: number
}

export interface ProcessLimits extends ProcessUsage {
  /** Wall-clock time since the watch began, ms. */
  wall: number
}

const PAGE_BYTES = 4096
/** The kernel's clock tick for processor time: `getconf CLK_TCK` is 100 on every Linux. */
const TICK_MS = 10

function usageOnLinux(pid: number): ProcessUsage | null {
  try {
    const resident = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
    // The second field is the program's name in brackets, which may hold spaces; utime and stime are the 14th and 15th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    return { resident, cpu: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    return null
  }
}

/** `ps` prints kilobytes, and time as [hours:]minutes:seconds. */
const usageByPs = (pid: number): Promise<ProcessUsage | null> =>
  new Promise((done) => {
    execFile('ps', ['-o', 'rss=,time=', '-p', String(pid)], { timeout: 2000 }, (error, text) => {
      const [, resident, time] = /^\s*(\d+)\s+([\d:.,-]+)/.exec(error ? '' : text) ?? []
      if (!resident || !time) return done(null)
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0)
      done({ resident: Number(resident) * 1024, cpu: seconds * 1000 })
    })
  })

/** A process allocates half a megabyte a millisecond at most. */
const CHECK_INTERVAL_MS = process.platform === 'linux' ? 20 : 200

/**
 * Polls a process and reports once which limit it exceeds. Processor time is limited, so that a busy machine does not refuse what
 * an idle one accepts; the wall-clock limit catches what hangs.
 * @param pid read at each check: the process may still be starting
 * @param limits `cpu` counts from the first check on
 * @param onExceeded called at most once
 * @returns function that ends the watch
 */
export function watchProcess(
  pid: () => number | undefined,
  limits: ProcessLimits,
  onExceeded: (limit: keyof ProcessLimits) => void,
) {
  const began = performance.now()
  let first: { pid: number; cpu: number } | undefined
  let isEnded = false
  let isReading = false

  function compare(id: number, usage: ProcessUsage | null): void {
    if (isEnded) return
    if (usage && first?.pid !== id) first = { pid: id, cpu: usage.cpu }
    const limit =
      usage && usage.resident > limits.resident
        ? 'resident'
        : usage && first && usage.cpu - first.cpu > limits.cpu
          ? 'cpu'
          : performance.now() - began > limits.wall
            ? 'wall'
            : null
    if (!limit) return
    isEnded = true
    onExceeded(limit)
  }

  function check(): void {
    const id = pid()
    if (id === undefined) return compare(0, null)
    if (process.platform === 'linux') return compare(id, usageOnLinux(id))
    if (isReading) return
    isReading = true
    void (process.platform === 'win32' ? Promise.resolve(null) : usageByPs(id)).then((usage) => {
      isReading = false
      compare(id, usage)
    })
  }

  check()
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}
