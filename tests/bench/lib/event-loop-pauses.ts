import { spawn } from 'node:child_process'
import { sendRequest } from './constant-rate.ts'

/**
 * The longest pause of event loops while something runs, ms: the server's own (what /metrics tells of
 * `monitorEventLoopDelay`) and, at the very same time, that of a process that has nothing to do. What the second one
 * suffers is the machine's doing; only what the first has beyond it is the server's.
 */
export interface PauseMonitor {
  /** Forgets what was, and looks until the function it answers is called. */
  watch: () => Promise<() => Promise<{ server: number; idle: number }>>
  stop: () => void
}

/** How often both are asked. A question costs the server some milliseconds, in every row alike. */
const SAMPLE_INTERVAL_MS = 1000

const IDLE_PROCESS_SOURCE = `
  const loop = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  process.on('message', () => { process.send(loop.max / 1e6); loop.reset() })
`

/** @param token the server's METRICS_TOKEN */
export function startPauseMonitor(url: string, token: string): PauseMonitor {
  const idle = spawn(process.execPath, ['-e', IDLE_PROCESS_SOURCE], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ofIdle = () =>
    new Promise<number>((done) => {
      idle.once('message', (max) => done(Number(max)))
      idle.send('')
    })
  // Both begin anew at each question.
  const ofServer = async () => {
    const text = await sendRequest(`${url}/metrics`, 'GET', undefined, { Authorization: `Bearer ${token}` })
    const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
    if (seconds === undefined) throw new Error('/metrics tells nothing of the event loop')
    return Number(seconds) * 1000
  }
  return {
    async watch() {
      await Promise.all([ofServer(), ofIdle()])
      const longest = { server: 0, idle: 0 }
      const look = async () => {
        const [server, alone] = await Promise.all([ofServer(), ofIdle()])
        longest.server = Math.max(longest.server, server)
        longest.idle = Math.max(longest.idle, alone)
      }
      const end = new AbortController()
      const looking = (async () => {
        while (!end.signal.aborted) {
          await new Promise((done) => setTimeout(done, SAMPLE_INTERVAL_MS))
          await look()
        }
      })()
      return async () => {
        end.abort()
        await looking
        return longest
      }
    },
    stop: () => void idle.kill(),
  }
}
