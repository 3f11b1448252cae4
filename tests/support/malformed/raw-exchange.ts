import { connect } from 'node:net'

/** What came back for one request. */
export interface Reply {
  /** 0: the connection ended without an answer. */
  status: number
  /** Lower-case names; of several the last. */
  headers: Record<string, string>
  /** The first 64 kB. */
  body: Buffer
  /** True where nothing, or not all, came in time. */
  isTimedOut: boolean
  ms: number
}

const MAX_BODY_BYTES = 64 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')

/** Reads one answer from bytes as they come. */
class ReplyParser {
  status = 0
  headers: Record<string, string> = {}
  isComplete = false
  private seen: Buffer = Buffer.alloc(0)
  private bodyAt = -1
  private length = 0
  private wanted: number | 'chunks' | 'end' = 'end'
  private tail = ''
  private readonly isHead: boolean

  constructor(isHead: boolean) {
    this.isHead = isHead
  }

  take(chunk: Buffer): void {
    if (this.bodyAt >= 0) return this.count(chunk)
    this.seen = Buffer.concat([this.seen, chunk])
    const end = this.seen.indexOf(HEAD_END)
    if (end < 0) return
    const [line = '', ...rows] = this.seen.toString('latin1', 0, end).split('\r\n')
    const rest = this.seen.subarray(end + 4)
    this.status = Number(line.slice(9, 12))
    // «Go on»: the answer comes after.
    if (this.status < 200) {
      this.seen = Buffer.alloc(0)
      return rest.length > 0 ? this.take(rest) : undefined
    }
    for (const row of rows)
      this.headers[row.slice(0, row.indexOf(':')).toLowerCase()] = row.slice(row.indexOf(':') + 1).trim()
    this.bodyAt = 0
    this.seen = Buffer.alloc(0)
    this.wanted = this.isBodyless()
      ? 0
      : /chunked/i.test(this.headers['transfer-encoding'] ?? '')
        ? 'chunks'
        : 'content-length' in this.headers
          ? Number(this.headers['content-length'])
          : 'end'
    this.tail = '\r\n'
    this.count(rest)
  }

  /** A stream never ends by itself. */
  private isBodyless(): boolean {
    const { status } = this
    return this.isHead || status === 204 || status === 304 || /event-stream/.test(this.headers['content-type'] ?? '')
  }

  private count(chunk: Buffer): void {
    this.length += chunk.length
    if (this.seen.length < MAX_BODY_BYTES)
      this.seen = Buffer.concat([this.seen, chunk.subarray(0, MAX_BODY_BYTES - this.seen.length)])
    if (this.wanted === 'chunks') {
      this.tail = (this.tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7)
      this.isComplete = this.tail === '\r\n0\r\n\r\n'
    } else if (this.wanted !== 'end') this.isComplete = this.length >= this.wanted
  }

  /** The connection ended: that is the end of a body without a length. */
  end(): void {
    if (this.wanted === 'end' && this.status >= 200) this.isComplete = true
  }

  get body(): Buffer {
    if (this.bodyAt < 0) return Buffer.alloc(0)
    // Behind an answer that came before the rest of its request may stand another, to what of that rest is malformed.
    if (typeof this.wanted === 'number') return this.seen.subarray(0, this.wanted)
    if (this.wanted === 'end') return this.seen
    const parts: Buffer[] = []
    for (let at = 0; at < this.seen.length;) {
      const line = this.seen.indexOf('\r\n', at)
      const size = line < 0 ? 0 : Number.parseInt(this.seen.toString('latin1', at, line), 16)
      if (!(size > 0)) break
      parts.push(this.seen.subarray(line + 2, line + 2 + size))
      at = line + 2 + size + 2
    }
    return Buffer.concat(parts)
  }
}

/**
 * Sends bytes over a connection of their own and reads one answer, whatever the bytes are: what fetch would never send.
 * @param timeoutMs maximum time for the response
 */
export function exchangeRaw(port: number, bytes: Buffer, timeoutMs: number, isHead: boolean): Promise<Reply> {
  return new Promise((done) => {
    const start = performance.now()
    const reading = new ReplyParser(isHead)
    const socket = connect(port, '127.0.0.1')
    const finish = (late: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const { status, headers, body } = reading
      done({ status, headers, body, isTimedOut: late, ms: performance.now() - start })
    }
    const timer = setTimeout(finish, timeoutMs, true)
    socket.setNoDelay(true)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      reading.take(chunk)
      if (reading.isComplete) finish(false)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      reading.end()
      finish(!reading.isComplete && reading.status >= 200)
    })
  })
}
