// Runs test files for scripts/test.mjs: several in one process, or one in its own.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnv, node, root, say } from './setup.mjs'

/** A file that takes longer is killed, min. By folder; the others have as long as a browser's. */
const MINUTES = { guards: 4, unit: 4, api: 8 }
const DEFAULT_MINUTES = 10
/** What is loaded stays in memory: after so many files a process makes room for a new one. */
const MAX_FILES = 25
/** How long a process may take to end after its last file, ms. */
const DEFAULT_END_MS = 30_000

/** Such a file changes or measures what its process has once. */
const ALONE =
  /node:(child_process|worker_threads)|process\.(chdir|exit\(|on\(|stderr|stdout|umask)|process\.env\.\w+ \??\??= |performance\.now|memoryUsage|globalThis\.\w+ = |tests.engines/

/** Compiled once: all test processes load the same modules. */
const testEnv = () => ({ ...childEnv(), FORCE_COLOR: '0', NODE_COMPILE_CACHE: join(root, '.cache/node') })

const folderOf = (file) => file.split(/[\\/]/)[1]
const minutesOf = (file) => MINUTES[folderOf(file)] ?? DEFAULT_MINUTES

/** Runs Node to its end. @returns {Promise<{status: number | null, output: string}>} */
export function finish(args, minutes = DEFAULT_MINUTES) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(node, args, { env: testEnv(), stdio, timeout: minutes * 60_000, killSignal: 'SIGKILL' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('close', (status) => resolve({ status, output }))
  })
}

/**
 * One process for files of one folder, one after another (scripts/lib/test-worker.mjs).
 * @param {string} folder
 * @param {number} endMs
 */
function openWorker(folder, endMs) {
  const mark = randomUUID()
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', 'scripts/lib/test-worker.mjs', mark], {
    env: testEnv(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const files = []
  let output = ''
  /** Whether its end is told with the file that it ran. */
  let isToldWithFile = false
  let settle = () => {}
  const ready = new Promise((resolve) => child.once('message', resolve).once('close', resolve))
  // A process that has ended takes no message: `close` below tells.
  child.on('error', () => {})
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      const end = output.match(new RegExp(`\n${mark} (\\d+)\n`))
      // Errors come on another pipe, perhaps a moment later.
      if (end) setTimeout(() => settle({ status: Number(end[1]), output: output.replace(end[0], '\n') }), 20)
    })
  const closed = new Promise((resolve) => child.on('close', resolve))
  closed.then(() => settle({ status: null, output }))
  return {
    folder,
    hasRoom: () => files.length < MAX_FILES && child.exitCode === null && child.signalCode === null,
    /** @returns {Promise<{status: number | null, output: string}>} */
    async run(file) {
      await ready
      files.push(file)
      output = ''
      const killer = setTimeout(() => child.kill('SIGKILL'), minutesOf(file) * 60_000)
      const result = await new Promise((resolve) => {
        settle = resolve
        if (child.connected) child.send(file)
        else resolve({ status: null, output })
      })
      clearTimeout(killer)
      settle = () => {}
      isToldWithFile = result.status === null
      return result
    },
    /** Ends it. @returns {Promise<string | undefined>} what was wrong with its end */
    async close() {
      if (isToldWithFile) return undefined
      // Its own side disconnects: after `child.disconnect()` Node tells of no `close`.
      if (child.connected) child.send(null)
      const killer = setTimeout(() => child.kill('SIGKILL'), endMs)
      await closed
      clearTimeout(killer)
      if (child.exitCode === 0) return undefined
      const how = child.signalCode ? 'left something open' : `ended the process with ${child.exitCode}`
      return `One of these ${how}:\n  ${files.join('\n  ')}\n${output}`
    },
  }
}

/**
 * Counts what one uvu file printed; one that ends without uvu's summary counts as a failure, so that no crash passes silently.
 * @returns {{file: string, good: number, bad: number, seconds: number}}
 */
function report(file, { status, output }, from) {
  const sum = (label) =>
    [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'gm'))].reduce((n, m) => n + Number(m[1]), 0)
  const [total, good] = [sum('Total'), sum('Passed')]
  const bad = status === 0 && total > 0 ? total - good : Math.max(1, total - good)
  const seconds = (Date.now() - from) / 1000
  console.log(`${bad ? 'FALLA' : 'bien '} ${file}  ${good}/${total}  ${seconds.toFixed(1)} s`)
  if (bad) console.log(output)
  // What a test could not do, as it says itself.
  else
    for (const [line] of output.matchAll(/^.*(perrario · .*)$/gm)) console.log(line.slice(line.indexOf('perrario · ')))
  return { file, good, bad, seconds }
}

/** Runs one file in a process of its own. */
export async function runAlone(file) {
  const from = Date.now()
  return report(file, await finish(['--disable-warning=ExperimentalWarning', file], minutesOf(file)), from)
}

/** What runs files one after another: in one process while they are of one folder, but those apart that need a process of their own. */
export function openLane({ endMs = DEFAULT_END_MS } = {}) {
  let worker
  async function close() {
    const fault = await worker?.close()
    const { folder } = worker ?? {}
    worker = undefined
    if (!fault) return []
    say(fault)
    return [{ file: `tests/${folder}`, good: 0, bad: 1, seconds: 0 }]
  }
  return {
    close,
    /** @returns {Promise<ReturnType<typeof report>[]>} of the file, and of a process that could not end well */
    async run(file) {
      if (ALONE.test(file) || ALONE.test(readFileSync(file, 'utf8'))) return [await runAlone(file)]
      const faults = worker && !(worker.folder === folderOf(file) && worker.hasRoom()) ? await close() : []
      worker ??= openWorker(folderOf(file), endMs)
      const from = Date.now()
      return [...faults, report(file, await worker.run(file), from)]
    },
  }
}
