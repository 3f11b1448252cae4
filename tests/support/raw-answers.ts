import * as assert from 'uvu/assert'

export interface RawAnswer {
  status: number
  /** By lowercase name. */
  headers: Record<string, string>
  body: Buffer
}

/** A chunk of a body, or its last one of no bytes: `undefined` where the connection ended before. */
function readChunk(bytes: Buffer, at: number): { data: Buffer; end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at)
  if (lineEnd < 0) return undefined
  const size = bytes.toString('latin1', at, lineEnd)
  assert.match(size, /^[\da-f]+$/i, 'the size of a chunk')
  const start = lineEnd + 2
  const end = start + Number.parseInt(size, 16)
  if (bytes.length < end + 2) return undefined
  assert.is(bytes.toString('latin1', end, end + 2), '\r\n', 'the end of a chunk')
  return { data: bytes.subarray(start, end), end: end + 2 }
}

/** The body that begins at `at`, and where it ends; `undefined` where the connection ended before. */
function readBody(bytes: Buffer, at: number, headers: RawAnswer['headers']): [Buffer, number] | undefined {
  if (headers['transfer-encoding'] !== 'chunked') {
    const end = at + Number(headers['content-length'] ?? Number.NaN)
    assert.not.ok(Number.isNaN(end), 'a body has a length, or is chunked')
    return end > bytes.length ? undefined : [bytes.subarray(at, end), end]
  }
  assert.is(headers['content-length'], undefined, 'chunked, and no length beside')
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = readChunk(bytes, at)
    if (!chunk) return undefined
    at = chunk.end
    if (chunk.data.length === 0) return [Buffer.concat(chunks), at]
    chunks.push(chunk.data)
  }
}

/**
 * The complete answers in what one connection sent, framed as RFC 9112 section 6.3 rules it. A last one that broke off is left out.
 * @param methods of the requests in their order, GET beyond the last
 * @throws AssertionError where a byte belongs to no answer
 */
export function readAnswers(bytes: Buffer, methods: string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    assert.ok(status, `no status line after ${answers.length} answers: ${statusLine.slice(0, 80)}`)
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const hasBody = methods[answers.length] !== 'HEAD' && status !== 204 && status !== 304
    const read = hasBody ? readBody(bytes, headEnd + 4, headers) : ([Buffer.alloc(0), headEnd + 4] as const)
    if (!read) break
    answers.push({ status, headers, body: read[0] })
    at = read[1]
  }
  return answers
}
