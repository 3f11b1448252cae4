import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { backupTime } from './maintenance.ts'
import { listBackups } from './backup-record.server.ts'
import { isBackupDue } from './backup-policy.ts'

const MINUTE_MS = 60_000
/** How long to leave it after an attempt that failed, ms. */
const FAILURE_PAUSE_MS = 60 * MINUTE_MS

export interface ScheduleOptions {
  backupDir: string
  /** The program that makes a backup, drops old ones and says how it went on its last line. */
  script: string
  log: (text: string) => void
}

export interface BackupSchedule {
  close: () => Promise<void>
}

/**
 * Looks once a minute whether a backup is due and has one made by a process of its own (which steps back behind the site): copying a
 * database, hashing and packing thereby never hold up a page. What is there already says what is due, so a restart
 * repeats nothing.
 */
export function scheduleBackups(
  { backupDir, script, log }: ScheduleOptions,
  { every = MINUTE_MS, clock = Date.now, uptime = () => performance.now() } = {},
): BackupSchedule {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  // By the clock that no one sets, so that a corrected date neither stops nor repeats anything.
  let restUntil = 0
  const look = async () => {
    if (uptime() < restUntil) return
    const times = (await listBackups(backupDir)).map((name) => backupTime(name)!)
    if (ending.signal.aborted || !isBackupDue(clock(), times, uptime())) return
    const { code, line } = await runScript(script, ending.signal)
    if (ending.signal.aborted) return
    if (code === 0) log(line)
    else {
      restUntil = uptime() + FAILURE_PAUSE_MS
      console.error(`perrario · ${line || `la copia de seguridad acabó con el código ${code}`}`)
    }
  }
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: unknown) => console.error('perrario · la copia de seguridad no se pudo hacer:', error))
      .finally(() => void (running = undefined))
  }, every).unref()
  return {
    async close() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Runs the script to its end, or ends it: a backup under way is then nothing yet. */
async function runScript(script: string, signal: AbortSignal): Promise<{ code: number | null; line: string }> {
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
        const line = output.trim().split('\n').at(-1) ?? ''
        resolve({ code, line: line.replace(/^perrario · /, '') })
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
