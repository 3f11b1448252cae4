import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { backupTime } from './maintenance.ts'
import { listBackups } from './backup-record.server.ts'
import { isBackupDue } from './backup-policy.ts'
import { MINUTE_MS } from '#lib/time.ts'

/** Time between a failed attempt and the next one. */
const FAILURE_PAUSE_MS = 60 * MINUTE_MS

export interface ScheduleOptions {
  backupDir: string
  /** The program that makes a backup, deletes expired ones and prints the outcome as its last line. */
  script: string
  log: (text: string) => void
}

/**
 * @returns what makes a backup where one is due, in a process of its own with low priority: copying, hashing and compressing never delay a
 *   page. The existing backups decide what is due, so a restart repeats nothing
 */
export function nightlyBackups(
  { backupDir, script, log }: ScheduleOptions,
  { clock = Date.now, uptime = () => performance.now() } = {},
): (signal: AbortSignal) => Promise<void> {
  // By the monotonic clock: a corrected date neither delays nor repeats an attempt.
  let pausedUntil = 0
  return async (signal) => {
    if (uptime() < pausedUntil) return
    const times = (await listBackups(backupDir)).flatMap((name) => backupTime(name) ?? [])
    if (signal.aborted || !isBackupDue(clock(), times, uptime())) return
    const { code, lastLine } = await runScript(script, signal)
    if (signal.aborted) return
    if (code === 0) log(lastLine)
    else {
      pausedUntil = uptime() + FAILURE_PAUSE_MS
      console.error(`perrario · ${lastLine || `la copia de seguridad acabó con el código ${code}`}`)
    }
  }
}

/** Runs the script to its end, or terminates it on `signal`: an unfinished backup does not count as one. */
async function runScript(script: string, signal: AbortSignal): Promise<{ code: number | null; lastLine: string }> {
  const args = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256', script, '--nightly']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)))
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject).on('close', (code) => {
        const lastLine = output.trim().split('\n').at(-1) ?? ''
        resolve({ code, lastLine: lastLine.replace(/^perrario · /, '') })
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
