import type { IncomingMessage, ServerResponse } from 'node:http'
import { ID_HEADER, requestId } from '#server/log/request.ts'
import { AGE_HEADER, KEEP_HEADER, TAGS_HEADER } from './provider.ts'
import type { Rendered } from './store.ts'

/** Astro's handler, as the node adapter builds it. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: undefined, locals?: object) => Promise<void>

/** Answers that may be kept. A redirect is cheap, and an error is gone the next time. */
const KEPT = new Set([200, 404, 410])
/** About this one answer, or its bytes as they were sent. */
const LEFT_OUT = new Set([TAGS_HEADER, AGE_HEADER, 'server-timing', 'content-length', 'etag', 'vary', 'connection'])

const nothing = () => {}

/**
 * Has Astro render `url` for nobody in particular: the request is made here, and of the visitor's own (Host, forwarded
 * addresses, cookies, languages) nothing is in it, so nothing of theirs can be in the page that others are given.
 * @param cookie the one variant a visitor's page has (the sidebar closed)
 * @throws where rendering broke off
 */
export async function renderPage(handler: Handler, url: string, cookie: string | undefined): Promise<Rendered> {
  const socket = { on: nothing, off: nothing, remoteAddress: '127.0.0.1' }
  const headers: Record<string, string> = { host: 'localhost', accept: 'text/html', [KEEP_HEADER]: '1' }
  if (cookie) headers.cookie = cookie
  const req = { method: 'GET', url, headers, socket, once: nothing, on: nothing, off: nothing }

  const chunks: Uint8Array[] = []
  const sent: Record<string, number | string | string[]> = {}
  let status = 200
  let failure: Error | undefined
  const sink = {
    statusMessage: '',
    headersSent: false,
    on: nothing,
    off: nothing,
    writeHead(code: number, headers: typeof sent = {}) {
      status = code
      this.headersSent = true
      Object.assign(sent, headers)
      return this
    },
    write(chunk: Uint8Array | string) {
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      return true
    },
    end(chunk?: Uint8Array | string) {
      if (chunk) this.write(chunk)
    },
    destroy(error?: Error) {
      failure = error ?? new Error(`the page of ${url} broke off`)
    },
    set statusCode(code: number) {
      status = code
    },
  }
  await handler(req as unknown as IncomingMessage, sink as unknown as ServerResponse, undefined, { ip: '127.0.0.1' })
  const id = status >= 500 ? requestId() : undefined
  if (id) sent[ID_HEADER] = id
  if (failure) throw failure

  const given = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
  const tags = given.get(TAGS_HEADER)
  const isKept = KEPT.has(status) && tags !== undefined && !given.has('set-cookie')
  const age = Number(given.get(AGE_HEADER) ?? Infinity)
  return {
    status,
    headers: [...given]
      .filter(([name]) => !LEFT_OUT.has(name))
      .flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const)),
    body: Buffer.concat(chunks),
    tags: isKept ? String(tags).split(',').filter(Boolean) : null,
    expires: Date.now() + age * 1000,
  }
}
