// Runs test files for scripts/test.mjs: several in one process, or one in its own.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnv, node, root, say } from './setup.mjs'

/** Time after which a file is killed, by folder, min. */
const TIMEOUT_MINUTES = { guards: 4, unit: 4, api: 8 }
/** The same for browser tests and other engines. */
const DEFAULT_TIMEOUT_MINUTES = 10
/** Files of one process: modules stay in memory once they are loaded, so a new process runs the next ones. */
const MAX_FILES_PER_PROCESS = 25
/** Time that a process has to end after its last file, ms. */
const END_TIMEOUT_MS = 30_000

/** Matches the path or the text of a file that changes or measures state of its whole process. */
const NEEDS_OWN_PROCESS =
  /node:(child_process|worker_threads)|process\.(chdir|exit\(|on\(|stderr|stdout|umask)|process\.env\.\w+ \??\??= |performance\.now|memoryUsage|globalThis\.\w+ = |tests.engines/

/** The compile cache is shared, since all test processes load the same modules. */
const testEnv = () => ({ ...childEnv(), FORCE_COLOR: '0', NODE_COMPILE_CACHE: join(root, '.cache/node') })

const folderOf = (file) => file.split(/[\\/]/)[1]
const timeoutMinutesOf = (file) => TIMEOUT_MINUTES[folderOf(file)] ?? DEFAULT_TIMEOUT_MINUTES

/** Runs Node and waits for its end. @returns {Promise<{status: number | null, output: string}>} */
export function runNode(args, minutes = DEFAULT_TIMEOUT_MINUTES, env = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(node, args, {
      env: { ...testEnv(), ...env },
      stdio,
      timeout: minutes * 60_000,
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('close', (status) => resolve({ status, output }))
  })
}

/**
 * One process for files of one folder, one after another (scripts/lib/test-worker.mjs).
 * @param {string} folder
 * @param {number} endMs
 * @param {NodeJS.ProcessEnv} env
 */
function openWorker(folder, endMs, env) {
  const mark = randomUUID()
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', 'scripts/lib/test-worker.mjs', mark], {
    env: { ...testEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const files = []
  let output = ''
  /** Whether the process ended within a file, whose report then has its exit. */
  let isExitReported = false
  let settle = () => {}
  const ready = new Promise((resolve) => child.once('message', resolve).once('close', resolve))
  // A message to a process that has ended fails; `close` below handles its end.
  child.on('error', () => {})
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      const end = output.match(new RegExp(`\n${mark} (\\d+)\n`))
      // stderr is another pipe and may arrive later.
      if (end) setTimeout(() => settle({ status: Number(end[1]), output: output.replace(end[0], '\n') }), 20)
    })
  const closed = new Promise((resolve) => child.on('close', resolve))
  closed.then(() => settle({ status: null, output }))
  return {
    folder,
    hasRoom: () => files.length < MAX_FILES_PER_PROCESS && child.exitCode === null && child.signalCode === null,
    /** @returns {Promise<{status: number | null, output: string}>} */
    async run(file) {
      await ready
      files.push(file)
      output = ''
      const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMinutesOf(file) * 60_000)
      const result = await new Promise((resolve) => {
        settle = resolve
        if (child.connected) child.send(file)
        else resolve({ status: null, output })
      })
      clearTimeout(killer)
      settle = () => {}
      isExitReported = result.status === null
      return result
    },
    /** Ends the process. @returns {Promise<string | undefined>} a description of the fault where it did not end well */
    async close() {
      if (isExitReported) return undefined
      // The child disconnects: after `child.disconnect()` here Node emits no `close`.
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
 * Prints and counts the result of one uvu file. Without uvu's summary it counts as a failure, so that no crash passes silently.
 * @returns {{file: string, good: number, bad: number, seconds: number}}
 */
function report(file, { status, output }, from, env) {
  const sum = (label) =>
    [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'gm'))].reduce((n, m) => n + Number(m[1]), 0)
  const [total, good] = [sum('Total'), sum('Passed')]
  // A file of what only SQLite has skips all its tests on PostgreSQL.
  const isSkipped = total === 0 && sum('Skipped') > 0 && { ...process.env, ...env }.TESTS_DATABASE !== undefined
  const bad = status === 0 && (total > 0 || isSkipped) ? total - good : Math.max(1, total - good)
  const seconds = (Date.now() - from) / 1000
  const database = env.TESTS_DATABASE ? ` (${env.TESTS_DATABASE})` : ''
  console.log(`${bad ? 'FALLA' : 'bien '} ${file}${database}  ${good}/${total}  ${seconds.toFixed(1)} s`)
  if (bad) console.log(output)
  // What a test skipped, in its own words.
  else
    for (const [line] of output.matchAll(/^.*(perrario · .*)$/gm)) console.log(line.slice(line.indexOf('perrario · ')))
  return { file, good, bad, seconds }
}

/** Runs one file in a process of its own. */
export async function runAlone(file, env = {}) {
  const from = Date.now()
  const worker = openWorker(folderOf(file), END_TIMEOUT_MS, env)
  const { status, output } = await worker.run(file)
  const fault = await worker.close()
  return report(file, { status: fault ? 1 : status, output: fault ?? output }, from, env)
}

/**
 * Runs files one after another: those of one folder in one process, except files that need their own.
 * @param {{ endMs?: number, env?: NodeJS.ProcessEnv }} [options] `env`: what their processes have besides this one's
 */
export function createTestRunner({ endMs = END_TIMEOUT_MS, env = {} } = {}) {
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
    /** @returns {Promise<ReturnType<typeof report>[]>} the file's report, and one of a process that did not end well */
    async run(file) {
      if (NEEDS_OWN_PROCESS.test(file) || NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')))
        return [await runAlone(file, env)]
      const faults = worker && !(worker.folder === folderOf(file) && worker.hasRoom()) ? await close() : []
      worker ??= openWorker(folderOf(file), endMs, env)
      const from = Date.now()
      return [...faults, report(file, await worker.run(file), from, env)]
    },
  }
}
