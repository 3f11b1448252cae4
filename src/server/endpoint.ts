import { hash } from 'node:crypto'
import type { APIContext, APIRoute } from 'astro'
import * as z from 'zod/mini'
import { AppError, type FieldErrors, invalid, notFound, sessionEnded, unauthenticated } from '#lib/errors.ts'
import { matchesEtag } from '#lib/http/conditional-requests.ts'
import { isUuid } from '#lib/identifiers.ts'
import { paths } from '#lib/paths.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { type HeldBody, holdBody, readBody } from './body/read-body.ts'
import { formMaxBytes, parseForm } from './body/form.ts'
import { isPlainForm, redirect } from './forms.ts'
import { claimRequest, RepeatedRequest } from './idempotency.ts'
import { toProblem } from './problem.ts'

export { readBody }

/**
 * What an endpoint answers, by status, of which the lowest is that of a plain object: the schema of its JSON, the media type of anything
 * else, or null for an answer without body. Handlers are typed by the schemas, docs/api.md is generated from them, and tests parse real
 * answers with them; the server itself does not.
 */
export type Answers = Readonly<Record<number, z.ZodMiniType | string | null>>

/** An endpoint with its `answers`. */
export type Endpoint = APIRoute & { readonly answers: Answers }

type BodyOf<T> = T extends z.ZodMiniType ? z.output<T> : never

/** Headers of a JSON answer. No cache stores it unless its own headers allow that. */
export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' } as const

/** A JSON body with headers, or with another status than its endpoint's lowest. */
class JsonAnswer<Body> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: HeadersInit
  constructor(body: Body, { status, headers = {} }: { status?: number; headers?: HeadersInit }) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

/** A JSON answer with `headers`, which may allow caches to store it, or with another of its endpoint's statuses. */
export const json = <Body>(body: Body, options: { status?: number; headers?: HeadersInit }): JsonAnswer<Body> =>
  new JsonAnswer(body, options)

/** JSON that is the signed-in member's own, or a 304 where their browser has it already (RFC 9110 §13.1.2). */
export function ownJson<Body>({ request }: APIContext, body: Body): JsonAnswer<Body> | Response {
  const etag = `W/"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 16)}"`
  const headers = { 'Cache-Control': 'private, no-cache', ETag: etag, Vary: 'Cookie' }
  if (!matchesEtag(request.headers.get('if-none-match') ?? undefined, etag)) return json(body, { headers })
  return new Response(null, { status: 304, headers })
}

/**
 * An endpoint: what `handle` returns becomes JSON, what it throws becomes problem+json.
 * @param answers what it answers; pages' endpoints outside the API give none, and return responses only
 */
export function endpoint(handle: (context: APIContext) => Promise<Response> | Response): APIRoute
export function endpoint<const T extends Answers>(
  answers: T,
  handle: (context: APIContext) => Promise<Answer<T>> | Answer<T>,
): Endpoint
export function endpoint(...args: [Handler] | [Answers, Handler]): APIRoute {
  const [answers, handle] = args.length === 1 ? [{}, args[0]] : args
  const usualStatus = Number(Object.keys(answers)[0] ?? 200)
  const route: APIRoute = async (context) => {
    try {
      return toResponse(await handle(context), usualStatus)
    } catch (error) {
      if (error instanceof RepeatedRequest) return error.answer
      if (error instanceof SessionEndedMeanwhile && isPlainForm(context)) return redirect(paths.login)
      return toProblem(error)
    }
  }
  return Object.assign(route, { answers })
}

type Answer<T extends Answers> = Response | BodyOf<T[keyof T]> | JsonAnswer<BodyOf<T[keyof T]>>
type Handler = (context: APIContext) => unknown

function toResponse(result: unknown, usualStatus: number): Response {
  if (result instanceof Response) return result
  const { body, status = usualStatus, headers = {} } = result instanceof JsonAnswer ? result : { body: result }
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  })
}

/** The session was open when the request began, and is not any more now that its body is complete. */
class SessionEndedMeanwhile extends AppError {
  constructor() {
    super(401, sessionEnded().message)
  }
}

/**
 * Call it once a body has arrived: its sender has minutes for it, and its member may have closed the session meanwhile.
 * @throws SessionEndedMeanwhile 401
 */
async function assertSessionOpen({ locals }: { locals: App.Locals }): Promise<void> {
  if ((await locals.isSessionOpen?.()) === false) throw new SessionEndedMeanwhile()
}

/** The signed-in member. @throws AppError 401 */
export function requireUser(context: { locals: App.Locals }): CurrentUser {
  const { user } = context.locals
  if (!user) throw unauthenticated()
  return user
}

/**
 * Who sends a write that needs no account: the signed-in member, or null for a visitor.
 * @throws AppError 401 for a session that has ended: what its member writes must not be stored as a visitor's
 */
export function findRequester({ locals }: { locals: App.Locals }): CurrentUser | null {
  if (locals.hasDeadSession) throw sessionEnded()
  return locals.user
}

/** The same, with the time of the last authentication, which final actions and the data export check. @throws AppError 401 */
export function requireAuthenticatedMember(context: { locals: App.Locals }): CurrentUser & { authenticatedAt: number } {
  return { ...requireUser(context), authenticatedAt: context.locals.authenticatedAt }
}

/** The `id` of the path. Any other text than a UUID is 404 and never reaches the database. @throws AppError 404 */
export function pathId(context: APIContext): string {
  const { id } = context.params
  if (!isUuid(id)) throw notFound()
  return id
}

/** The JSON body (at most 64 kB), validated. A POST with an idempotency key runs once (idempotency.ts). @throws AppError 413, 415, 422; 401 where the session ended while it arrived */
export async function readJson<T extends z.ZodMiniType>(context: APIContext, schema: T): Promise<z.output<T>> {
  const type = context.request.headers.get('content-type') ?? ''
  if (!/^application\/json\b/i.test(type)) throw new AppError(415, 'Se esperaba application/json.')
  const bytes = await readBody(context.request, 64 * 1024, context.locals.network)
  await assertSessionOpen(context)
  await claimRequest(context, bytes)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw invalid('El cuerpo no es JSON válido.')
  }
  return validate(schema, value)
}

/** Enough for every form of a few fields, and for Apple's callback with its `user` field. */
const FORM_MAX_BYTES = 16 * 1024

/**
 * The form in the body, at most `limit` bytes; without files far fewer are accepted. A POST with an idempotency key runs once (idempotency.ts).
 * @throws AppError 413, 415, 422; 401 where the session ended while it arrived, which `endpoint` redirects to the sign-in
 */
export async function readForm(context: APIContext, limit = FORM_MAX_BYTES): Promise<FormData> {
  const type = context.request.headers.get('content-type') ?? ''
  const bytes = await readBody(context.request, formMaxBytes(type, limit), context.locals.network)
  await assertSessionOpen(context)
  const form = await parseForm(bytes, type)
  await claimRequest(context, bytes, form)
  return form
}

/**
 * Reads the form in the body, at most `limit` bytes, and awaits `use`, which takes long. Until then its bytes count towards the
 * memory of all bodies. Until it calls `body.start` it may give way to others.
 * @throws AppError 413, 415, 422; 401 where the session ended while it arrived; 429 where this network holds too much memory, 503 where
 *   all together do
 */
export async function processForm<T>(
  context: APIContext,
  limit: number,
  use: (form: FormData, body: HeldBody) => Promise<T>,
): Promise<T> {
  const type = context.request.headers.get('content-type') ?? ''
  const body = await holdBody(context.request, formMaxBytes(type, limit), context.locals.network)
  try {
    await assertSessionOpen(context)
    return await use(await parseForm(body.bytes, type), body)
  } catch (error) {
    body.signal.throwIfAborted()
    throw error
  } finally {
    body.release()
  }
}

/** The sentence for a value that the schema has none for, for example a body that is a number. */
const INVALID_DATA = 'Los datos enviados no son válidos.'

/** Parses `value` with `schema`; the first issue's sentence becomes the detail. @throws AppError 422 with one error per field */
export function validate<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: () => INVALID_DATA })
  if (result.success) return result.data
  const errors: FieldErrors = {}
  for (const issue of result.error.issues) errors[issue.path.join('.') || 'body'] ??= issue.message
  throw invalid(result.error.issues[0]?.message ?? INVALID_DATA, errors)
}
