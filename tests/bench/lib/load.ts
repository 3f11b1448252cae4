/**
 * A load generator that costs little beside the server it measures: bare sockets kept open, one request at a time on
 * each, the next one sent when the answer is whole. Headers are read for status and length, bodies only counted.
 */
import { spawnSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { cpuSeconds, percentilesOf, type Percentiles } from '#tests/support/load/measure.ts'

export interface LoadFigures extends Percentiles {
  /** Whole answers a second. */
  rate: number
  count: number
  /** Answers of status 400 and above. */
  failures: number
  /** Of the last answer, headers and body. */
  bytes: number
}

/** A request as it goes over the wire. */
export const buildRequest = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        `${method} ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(method === 'GET' ? [] : [`Content-Length: ${body?.length ?? 0}`]),
        '\r\n',
      ].join('\r\n'),
    ),
    body ?? Buffer.alloc(0),
  ])

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** One answer on its way in. */
class AnswerReader {
  status = 0
  bytes = 0
  private head: Buffer | null = null
  private inBody = false
  private left = 0
  /** The end of a chunked body so far; null where a length was told. */
  private tail: string | null = null

  /** Takes what came; true once the answer is whole. */
  take(chunk: Buffer): boolean {
    this.bytes += chunk.length
    if (!this.inBody) {
      const seen = this.head ? Buffer.concat([this.head, chunk]) : chunk
      const end = seen.indexOf(HEAD_END)
      // A copy: the next read lands in the same buffer.
      if (end < 0) return ((this.head = Buffer.from(seen)), false)
      this.readHead(seen.toString('latin1', 0, end))
      chunk = seen.subarray(end + HEAD_END.length)
    }
    if (this.tail === null) return (this.left -= chunk.length) <= 0
    this.tail = (this.tail + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    )
    return this.tail === LAST_CHUNK
  }

  private readHead(text: string): void {
    this.inBody = true
    this.status = Number(text.slice(9, 12))
    this.left = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
    // The line's end before the body: an empty body is its last chunk alone.
    if (/\r\ntransfer-encoding: *chunked/i.test(text)) this.tail = '\r\n'
  }
}

/**
 * Sends what `requestOf(n)` gives until `seconds` have passed or it gives null.
 * @throws where the server closes a connection
 */
export async function sendLoad(
  url: string,
  requestOf: (n: number) => Buffer | null,
  { connections = 16, seconds = 2 }: { connections?: number; seconds?: number } = {},
): Promise<LoadFigures> {
  const { port, hostname } = new URL(url)
  const times: number[] = []
  const seen = { sent: 0, failures: 0, bytes: 0 }
  const start = performance.now()
  const until = start + seconds * 1000

  const line = () =>
    new Promise<void>((done, fail) => {
      let answer = new AnswerReader()
      let asked = 0
      const next = () => {
        asked = performance.now()
        const bytes = asked < until ? requestOf(seen.sent) : null
        if (!bytes) {
          done()
          return void socket.destroy()
        }
        seen.sent++
        answer = new AnswerReader()
        socket.write(bytes)
      }
      const buffer = Buffer.alloc(65_536)
      const onread = {
        buffer,
        callback: (length: number) => {
          if (!answer.take(buffer.subarray(0, length))) return true
          times.push(performance.now() - asked)
          if (answer.status >= 400) seen.failures++
          seen.bytes = answer.bytes
          next()
          return true
        },
      }
      const socket = connect({ port: Number(port), host: hostname, noDelay: true, onread })
      socket.on('connect', next).on('error', fail)
      socket.on('close', () => fail(new Error(`${url} closed a connection`)))
    })
  await Promise.all(Array.from({ length: connections }, line))
  const { failures, bytes } = seen
  const rate = times.length / ((performance.now() - start) / 1000)
  return { rate, count: times.length, failures, bytes, ...percentilesOf(times) }
}

/** Servers that are measured turn about, so that whatever else the machine does falls on all of them. */
export interface Contender {
  name: string
  url: string
  pid: number
  paths: string[]
  headers: Record<string, string>
}

export interface Measurement extends LoadFigures {
  contender: string
  /** Answers for a second of the server's processor time, all its threads: a busy machine hardly changes it. */
  perProcessor: number
}

const ROUNDS = 3
/** Rounds before those: code that runs for the first time runs several times as slow. */
const WARMUP_ROUNDS = 3
const ROUND_SECONDS = 1

/** Keeps a process to one processor where Linux has taskset: server and load then do not push each other about. */
export function pinToCpu(pid: number, cpu: number): void {
  spawnSync('taskset', ['-acp', String(cpu), String(pid)])
}

/** Of each contender the medians of its rounds, after some for warmth. @throws where one answers with an error */
export async function measureInterleaved(contenders: readonly Contender[]): Promise<Measurement[]> {
  const rounds = new Map<string, Measurement[]>(contenders.map(({ name }) => [name, []]))
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++)
    for (const { name, url, pid, paths, headers } of contenders) {
      const requests = paths.map((path) => buildRequest('GET', path, headers))
      const before = await cpuSeconds(pid)
      const answered = await sendLoad(url, (n) => requests[n % requests.length]!, { seconds: ROUND_SECONDS })
      const used = (await cpuSeconds(pid)) - before
      if (answered.failures) throw new Error(`${name}: ${answered.failures} of ${answered.count} failed, ${paths[0]}`)
      if (round >= 0) rounds.get(name)!.push({ contender: name, perProcessor: answered.count / used, ...answered })
    }
  return [...rounds.values()].map((turns) => {
    const medianOf = (key: 'rate' | 'perProcessor' | 'median' | 'p99' | 'bytes') =>
      percentilesOf(turns.map((turn) => turn[key])).median
    const medians = { rate: medianOf('rate'), perProcessor: medianOf('perProcessor'), median: medianOf('median') }
    return { ...turns[0]!, ...medians, p99: medianOf('p99'), bytes: medianOf('bytes') }
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One page over kept connections; fetch costs the measuring side several times as much. @throws for any status but 2xx */
export const getPage = (url: string, headers: Record<string, string> = {}): Promise<string> =>
  new Promise((done, fail) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () =>
        response.statusCode! < 300 ? done(text) : fail(new Error(`${response.statusCode} ${url} ${text}`)),
      )
    })
    outgoing.on('error', fail).end()
  })
