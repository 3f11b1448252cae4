import * as fc from 'fast-check'
import { peakMB } from '#tests/support/load/measure.ts'
import { exchangeRaw } from '#tests/support/malformed/raw-exchange.ts'
import { collectDoctorErrors, checkNormalVisit } from '#tests/soak/site-health.ts'
import { malformedCases } from '#tests/support/malformed/malformed-case.ts'
import { findFault } from './answer-oracle.ts'
import { ROUTES } from '#tests/support/malformed/routes.ts'
import { formatCurl, type Placeholders, buildWireRequest } from '#tests/support/malformed/wire-request.ts'
import { startFullServer } from '#tests/support/malformed/full-server.ts'

export interface MalformedOptions {
  /** Requests; all the same, it ends when `until` says so. */
  requests: number
  until?: number
  seed?: number
  /** How many at once. */
  lanes?: number
  onProgress?: (sent: number) => void
}

export interface MalformedReport {
  seed: number
  sent: number
  /** Answers by status; 0: no response was expected, and none was received. */
  statuses: Record<number, number>
  /** Addresses with their methods that were asked. */
  routes: number
  /** How many of them answered below 400 at least once. */
  reached: number
  /** Each with the curl line of its smallest case: must stay empty. */
  failures: string[]
  /** The most memory the server ever held, MB. */
  peak: number
}

/** An answer takes milliseconds; this says that none will come. */
const ANSWER_TIMEOUT_MS = 20_000
/** What is cut short is not waited for. */
const UNFRAMED_TIMEOUT_MS = 600
/** Requests in one community: some end the session of the others, or delete what they are about. */
const REQUESTS_PER_ROUND = 12
/** Pages that show what such requests wrote, to everybody or to those who see more. */
const PAGES_CHECKED = [
  '/',
  '/perros',
  '/[breed]/[dog]',
  '/usuario/[id]',
  '/perfil',
  '/perfil/seguridad',
  '/notificaciones',
  '/admin',
]
/** Kinds of failure after which the rest would be the same. */
const MAX_FAILURE_KINDS = 12
/** The heap is bounded at 384 MB (scripts/lib/runtime.json); pictures are decoded outside of it. */
export const MAX_MEMORY_MB = 900

/**
 * Sends requests with something wrong in them, each drawn from every address and every field, and looks at every answer.
 * A case that fails is shrunk to its smallest and told as a curl line; the same seed draws the same cases.
 */
export async function sendMalformedRequests(options: MalformedOptions): Promise<MalformedReport> {
  const { requests, until = Infinity, seed = Date.now() % 2 ** 31, lanes = 3, onProgress } = options
  const place = await startFullServer()
  const { server, port } = place
  const report: MalformedReport = { seed, sent: 0, statuses: {}, routes: 0, reached: 0, failures: [], peak: 0 }
  const asked = new Set<number>()
  const reached = new Set<number>()
  const kinds = new Set<string>()
  let rounds = 0

  /** Draws and sends some cases, one after another, and shrinks what fails. */
  async function lane(names: Placeholders, runs: number): Promise<void> {
    let last = ''
    const property = fc.asyncProperty(malformedCases, async (one) => {
      const count = report.sent++
      const wire = buildWireRequest(one, names, `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`)
      asked.add(one.route)
      const reply = await exchangeRaw(
        port,
        wire.bytes,
        wire.isFramed ? ANSWER_TIMEOUT_MS : UNFRAMED_TIMEOUT_MS,
        wire.method === 'HEAD',
      )
      report.statuses[reply.status] = (report.statuses[reply.status] ?? 0) + 1
      if (reply.status >= 200 && reply.status < 400) reached.add(one.route)
      const wrong = findFault(wire, reply)
      if (wrong) last = `${wrong}\n    ${formatCurl(wire, server.url)}`
      return wrong === null
    })
    const own = (seed + rounds++ * 7919) | 0
    const checked = await fc.check(property, { seed: own, numRuns: runs, interruptAfterTimeLimit: 120_000 })
    if (!checked.failed) return
    // Ours: a request that could not even be made.
    if (last === '') throw checked.errorInstance
    const { route, faults } = checked.counterexample![0]
    const where = `${ROUTES[route]!.method} ${ROUTES[route]!.path}`
    const kind = `${where} ${last.slice(0, 40)}`
    const replay = `seed ${own} path ${checked.counterexamplePath}`
    if (!kinds.has(kind))
      report.failures.push(`${replay}: ${where}: ${last}\n    ${JSON.stringify(faults).slice(0, 500)}`)
    kinds.add(kind)
  }

  /** Looks at a community as its members and its admin do, after what it went through. */
  async function look(names: Placeholders): Promise<void> {
    for (const [route, { method, path }] of ROUTES.entries()) {
      if (method !== 'GET' || !PAGES_CHECKED.includes(path)) continue
      const wire = buildWireRequest(
        { route, role: 'meant', body: 'json', faults: [] },
        names,
        `10.254.${(rounds >> 8) & 255}.${rounds & 255}`,
      )
      const wrong = findFault(wire, await exchangeRaw(port, wire.bytes, ANSWER_TIMEOUT_MS, false))
      const kind = `afterwards: ${path}: ${wrong}`
      if (wrong && !kinds.has(kind)) report.failures.push(`round ${rounds}: ${kind}`)
      if (wrong) kinds.add(kind)
    }
  }

  /** Rounds, each lane in a community of its own: made while nobody sends, since they are written past the server. */
  async function send(): Promise<void> {
    while (report.sent < requests && Date.now() < until && kinds.size < MAX_FAILURE_KINDS && isAlive(server.pid())) {
      const worlds: Placeholders[] = []
      for (let n = 0; n < lanes; n++) worlds.push(await place.createCommunity())
      const runs = Math.min(REQUESTS_PER_ROUND, Math.ceil((requests - report.sent) / lanes))
      await Promise.all(worlds.map((names) => lane(names, runs)))
      for (const names of worlds) await look(names)
      onProgress?.(report.sent)
    }
  }

  try {
    await send()
    const isDown = !isAlive(server.pid())
    report.routes = asked.size
    report.reached = reached.size
    report.peak = await peakMB(server.pid())
    if (isDown) report.failures.push(`the server ended:\n${server.output().slice(-3000)}`)
    else report.failures.push(...(await checkNormalVisit(server)))
    const cry = /.*(unhandled|uncaught).*/i.exec(server.output())
    if (cry) report.failures.push(`the server said: ${cry[0]}`)
    if (report.peak > MAX_MEMORY_MB) report.failures.push(`the server held ${report.peak} MB`)
    await place.db.destroy()
    await server.stop()
    report.failures.push(...(await collectDoctorErrors(server)))
    return report
  } finally {
    await place.close()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
