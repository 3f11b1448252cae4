import type { Reply } from '#tests/support/malformed/raw-exchange.ts'
import type { WireRequest } from '#tests/support/malformed/wire-request.ts'

/** The refusals above 499 that are meant (docs/product.md §23.2; docs/adr/0048-disk-failures-are-answered.md). Nothing else may answer 5xx. */
export const EXPECTED_SERVER_ERRORS: readonly { status: number; path: RegExp; why: string }[] = [
  { status: 503, path: /^\/api\/auth\/[^/]+/, why: 'the provider is not configured' },
]

/** Node's own words for what is no HTTP: they never reach a route, and carry no body. */
const NODE_STATUSES = new Set([400, 408, 413, 417, 431])

/** Words of libraries, which a person must never read. */
const LIBRARY_WORDS =
  /\b(invalid|expected|received|required|must|unexpected|failed|cannot|not found|too (small|big))\b/i
const STACK = /\n\s+at .+:\d+:\d+|node_modules|SQLITE_/

/** What is wrong with an answer; null where nothing is. */
export function findFault(wire: WireRequest, reply: Reply): string | null {
  const { status, headers } = reply
  if (reply.isTimedOut) return wire.isFramed ? `no whole answer in ${Math.round(reply.ms)} ms (status ${status})` : null
  if (status === 0) return wire.isFramed ? 'the connection ended without an answer' : null
  if (
    status >= 500 &&
    !EXPECTED_SERVER_ERRORS.some((refusal) => refusal.status === status && refusal.path.test(wire.target))
  )
    return `${status}: ${reply.body.toString('utf8', 0, 300)}`
  if ('x-inyectada' in headers) return 'a header was injected'
  const text =
    /json|text|html/.test(headers['content-type'] ?? '') && !headers['content-encoding'] ? reply.body.toString() : ''
  if (status >= 400 && STACK.test(text)) return `inner words: ${STACK.exec(text)![0]}`
  return status >= 400 && isApiTarget(wire.target) ? findProblemFault(wire, reply, text) : null
}

/** As the server reads it, `..` and all. */
const isApiTarget = (target: string) =>
  target.startsWith('/') && !target.startsWith('//') && !!URL.parse(target, 'http://x')?.pathname.startsWith('/api/')

function findProblemFault(wire: WireRequest, { status, headers, body }: Reply, text: string): string | null {
  const type = headers['content-type'] ?? ''
  if (NODE_STATUSES.has(status) && type === '' && body.length === 0) return null
  if (!type.startsWith('application/problem+json')) return `${status} as «${type}», no problem+json`
  // Without a body, or packed.
  if (text === '') return null
  try {
    const problem = JSON.parse(text)
    if (problem.status !== status) return `the problem says ${problem.status}, the answer ${status}`
    const said = [problem.detail, ...Object.values(problem.errors ?? {})]
    const foreign = said.find((one) => typeof one !== 'string' || one.trim() === '' || LIBRARY_WORDS.test(one))
    return foreign === undefined ? null : `no Spanish sentence: «${foreign}»`
  } catch {
    return wire.method === 'HEAD' ? null : `no JSON: ${text.slice(0, 200)}`
  }
}
