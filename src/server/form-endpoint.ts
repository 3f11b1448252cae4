import type { APIContext } from 'astro'
import type * as z from 'zod/mini'
import { AppError, type FieldErrors } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { type Answers, endpoint, type Endpoint, pathId, readForm, readJson, validate } from './endpoint.ts'
import { isForm, readTyped, redirect } from './forms.ts'

/** A form of a page, and the JSON call that does the same. */
export interface FormDefinition<Who, Input extends z.ZodMiniType, Result> {
  /** What a JSON call is answered. */
  answers?: Answers
  /** Bytes of the form. */
  limit?: number
  /** Who may, within their limits. A JSON call is asked before its body is read. @throws AppError */
  who: (context: APIContext) => Promise<Who> | Who
  /** What is sent; by default nothing that matters. */
  input?: Input
  /** What `input` checks, of the form; by default its fields. */
  fields?: (form: FormData) => unknown
  /** Does it. @returns the answer of a JSON call: 204 for nothing @throws AppError */
  save: (context: APIContext, who: Who, input: z.output<Input>) => Promise<Result>
  /** Where the form leads. */
  done: (context: APIContext, result: Result, form: FormData) => Promise<string> | string
  /** Where the form of somebody without session leads: to the sign-in by default; undefined as for `refused`. */
  signIn?: (form: FormData) => string | undefined
  /** Where the form leads that was refused; undefined where its page has no words for it: the answer is the JSON call's. */
  refused?: (context: APIContext, error: AppError, form: FormData) => Promise<To> | To
}
type To = Response | string | undefined

/** An endpoint that takes a plain form, which it leads on with 303, and the same as JSON where it has answers. */
export const formEndpoint = <Who, Input extends z.ZodMiniType, Result>(
  definition: FormDefinition<Who, Input, Result>,
): Endpoint =>
  endpoint({ ...definition.answers, 303: null }, async (context) => {
    // What is no id never reaches the database.
    if (context.params.id !== undefined) pathId(context)
    if (!definition.answers || isForm(context)) return takeForm(context, definition)
    const who = await definition.who(context)
    const input = definition.input && (await readJson(context, definition.input))
    const result = await definition.save(context, who, input as z.output<Input>)
    return result === undefined ? new Response(null, { status: 204 }) : (result as never)
  })

async function takeForm<Who, Input extends z.ZodMiniType, Result>(
  context: APIContext,
  definition: FormDefinition<Who, Input, Result>,
): Promise<Response> {
  const { fields = Object.fromEntries, signIn = () => paths.login } = definition
  const form = await readForm(context, definition.limit)
  try {
    const who = await definition.who(context)
    const input = definition.input && validate(definition.input, fields(form))
    const result = await definition.save(context, who, input as z.output<Input>)
    return redirect(await definition.done(context, result, form))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const to = error.status === 401 ? signIn(form) : await definition.refused?.(context, error, form)
    if (to === undefined) throw error
    return to instanceof Response ? to : redirect(to)
  }
}

/** What a page shows of its own form. */
export interface PageState {
  status: number
  /** Why the form was refused, or cannot be sent. */
  problem: string | null
  errors: Readonly<FieldErrors>
  /** What was written in a refused form, by the fields' names. */
  typed: Readonly<Record<string, string>>
}
export const UNSENT: PageState = { status: 200, problem: null, errors: {}, typed: {} }

export type Refusal = PageState & { problem: string }

/**
 * Does what a form asks for that its own page takes: typed texts stay out of addresses.
 * @param act gets what remembers the form for the page
 * @param isSaid whether the page says the error; others have pages of their own
 * @returns null where no form was sent
 */
export async function takePost(
  { request }: APIContext,
  act: (remember: (form: FormData) => void) => Promise<Response>,
  isSaid: (status: number) => boolean = () => true,
): Promise<Response | Refusal | null> {
  if (request.method !== 'POST') return null
  let typed = {}
  return orRefusal(() => act((form) => (typed = readTyped(form))), isSaid).then((done) =>
    done instanceof Response ? done : { ...done, typed },
  )
}

/** What `read` returns, or what a page says instead. */
export async function orRefusal<T>(
  read: () => Promise<T>,
  isSaid: (status: number) => boolean = () => true,
): Promise<T | Refusal> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError) || !isSaid(error.status)) throw error
    const { status, message, errors = {} } = error
    return { status, problem: message, errors, typed: {} }
  }
}

/** A session that has ended is answered by the sign-in. */
export const unlessSignedOut = (status: number): boolean => status !== 401
