import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { APIContext } from 'astro'
import type { Db } from '#db/client.ts'
import { endRequest, startRequest } from '#db/request-answers.ts'
import { hashRequestKey, type RequestKey } from '#db/request-key.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { readFormKey, readKeyHeader, VISITOR_KEY_MIN_CHARS } from './request-key.ts'

/** How long a repetition waits for the answer of the first. */
const WAIT_MAX_MS = 10_000
const POLL_MS = 100

const OTHER_BODY = 'Esta Idempotency-Key ya se ha usado con otros datos.'
const STILL_RUNNING = 'Todavía estamos guardando lo que has enviado.'

interface StoredAnswer {
  status: number
  headers: [string, string][]
  body: string
}

/** The key under which a request runs. */
interface Claim {
  db: Db
  key: string
  secret: Buffer
  /** Its id, or the account that waits for its deletion. */
  session: unknown
}

/** Thrown where the request is a repetition: the answer that the first one got. */
export class RepeatedRequest extends Error {
  readonly answer: Response
  constructor({ body, ...init }: StoredAnswer) {
    super('repeated request')
    this.answer = new Response(body || null, init)
  }
}

/** The claims of requests that run. */
const claims = new WeakMap<Request, Claim>()
/** The key of a POST, from its header or its form's hidden field; undefined without one, or where it does not tell a visitor from others. */
function readKey(context: APIContext, form: FormData | undefined): RequestKey | undefined {
  const { user, network } = context.locals
  const key = readKeyHeader(context)
  if (key === undefined) return form && readFormKey(form, user?.id ?? network)
  return user || key.length >= VISITOR_KEY_MIN_CHARS ? { sender: user?.id ?? 'anonymous', key } : undefined
}

/**
 * Has a POST with an idempotency key run once: a repetition gets the answer of the first, for 30 days. Call it when the body has arrived.
 * @param body as it is compared with the first one's
 * @throws RepeatedRequest; AppError 409 while the first still runs; 422 where the key came with another body
 */
export async function claimRequest(context: APIContext, body: Uint8Array | string, form?: FormData): Promise<void> {
  const { request, url, locals } = context
  if (request.method !== 'POST' || claims.has(request)) return
  const given = readKey(context, form)
  if (!given) return
  const { db } = locals
  const key = hashRequestKey(`POST ${url.pathname}`, given)
  const secret = createHash('sha256').update(['answer', given.sender, given.key].join('\0')).digest()
  const fingerprint = createHash('sha256').update(url.search).update('\0').update(body).digest('base64url')
  for (const start = Date.now(); ; await wait(POLL_MS)) {
    const first = await startRequest(db, key, fingerprint)
    if (!first) return void claims.set(request, { db, key, secret, session: locals.leaving ?? locals.sessionId })
    if (first.fingerprint !== fingerprint) throw invalid(OTHER_BODY)
    if (first.answer) throw new RepeatedRequest(unseal(first.answer, secret))
    if (Date.now() - start > WAIT_MAX_MS) throw new AppError(409, STILL_RUNNING, { retryAfter: 1 })
  }
}

/** Keeps the answer of a request that has a key; one that failed may run again, and so may one that opened a session: its cookie is not kept. */
export async function settleRequest({ request, locals }: APIContext, response?: Response): Promise<void> {
  const claim = claims.get(request)
  if (!claim) return
  claims.delete(request)
  const { db, key, secret, session } = claim
  const current = locals.leaving ?? locals.sessionId
  try {
    if (!response || response.status >= 400 || (current && current !== session)) return await endRequest(db, key, null)
    const { status, headers } = response
    await endRequest(db, key, seal({ status, headers: [...headers], body: await response.clone().text() }, secret))
  } catch (error) {
    // What the request did is done: its sender gets the answer.
    console.error('perrario · la respuesta a una petición con Idempotency-Key no se pudo guardar:', error)
  }
}

// An answer may hold what its sender alone may read. It is encrypted by their key, of which only a hash is stored.

const NONCE_BYTES = 12
const TAG_BYTES = 16

function seal(answer: StoredAnswer, secret: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(text: string, secret: Buffer): StoredAnswer {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return JSON.parse(opened.toString('utf8')) as StoredAnswer
}
