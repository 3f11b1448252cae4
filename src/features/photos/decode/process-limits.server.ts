import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What a process uses now. */
export interface ProcessUsage {
  /** Resident memory, bytes. */
  resident: number
  /** Processor time since its start, ms. */
  cpu: number
}

export interface ProcessLimits extends ProcessUsage {
  /** Time since the watch began, ms. */
  wall: number
}

const PAGE_BYTES = 4096
/** Of the clock that the kernel counts processor time by (`getconf CLK_TCK`), 100 on every Linux. */
const TICK_MS = 10

function usageOnLinux(pid: number): ProcessUsage | null {
  try {
    const resident = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
    // The second field is the program's name in brackets, which may hold spaces; utime and stime are the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return { resident, cpu: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    return null
  }
}

/** `ps` knows kilobytes, and time as [hours:]minutes:seconds. */
const usageByPs = (pid: number): Promise<ProcessUsage | null> =>
  new Promise((done) => {
    execFile('ps', ['-o', 'rss=,time=', '-p', String(pid)], { timeout: 2000 }, (error, text) => {
      const [, resident, time] = /^\s*(\d+)\s+([\d:.,-]+)/.exec(error ? '' : text) ?? []
      if (!resident || !time) return done(null)
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0)
      done({ resident: Number(resident) * 1024, cpu: seconds * 1000 })
    })
  })

/** Looks this often, ms. A process takes half a megabyte a ms at most. */
const CHECK_INTERVAL_MS = process.platform === 'linux' ? 20 : 200

/**
 * Looks at a process until told to stop, and says once which limit it went over. Processor time counts, so that a busy machine
 * does not refuse what a quiet one takes; the wall is for what hangs.
 * @param pid asked at each look: the process may still be starting
 * @param limits `cpu` from the first look on
 * @returns ends the watch
 */
export function watchProcess(
  pid: () => number | undefined,
  limits: ProcessLimits,
  over: (limit: keyof ProcessLimits) => void,
) {
  const began = performance.now()
  let seen: { pid: number; cpu: number } | undefined
  let isOver = false
  let isLooking = false

  function judge(id: number, usage: ProcessUsage | null): void {
    if (isOver) return
    if (usage && seen?.pid !== id) seen = { pid: id, cpu: usage.cpu }
    const limit =
      usage && usage.resident > limits.resident
        ? 'resident'
        : usage && usage.cpu - seen!.cpu > limits.cpu
          ? 'cpu'
          : performance.now() - began > limits.wall
            ? 'wall'
            : null
    if (!limit) return
    isOver = true
    over(limit)
  }

  function look(): void {
    const id = pid()
    if (id === undefined) return judge(0, null)
    if (process.platform === 'linux') return judge(id, usageOnLinux(id))
    if (isLooking) return
    isLooking = true
    void (process.platform === 'win32' ? Promise.resolve(null) : usageByPs(id)).then((usage) => {
      isLooking = false
      judge(id, usage)
    })
  }

  look()
  const timer = setInterval(look, CHECK_INTERVAL_MS)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
