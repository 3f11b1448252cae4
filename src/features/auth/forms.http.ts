import type { APIContext } from 'astro'
import { isSecure } from '#server/session.ts'
import { FORM_COOKIE, type FormMemory, readMemory, writeMemory } from './form-memory.ts'

/** True for what a plain HTML form sends. */
export const isForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? '')

/** 303: the browser asks for `to` with GET, so that reloading it sends nothing again. */
export const redirect = (to: string): Response =>
  new Response(null, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } })

const options = () =>
  ({ path: '/login', httpOnly: true, sameSite: 'lax', secure: isSecure(), maxAge: 15 * 60 }) as const

/** Sends a form's sender on to `to`, which reads the memory back with `recall`. */
export function remember(context: Pick<APIContext, 'cookies'>, to: string, memory: FormMemory): Response {
  context.cookies.set(FORM_COOKIE, writeMemory(memory), options())
  return redirect(to)
}

/** What the last form left. The sentence is shown once: a later visit starts clean, but still knows the address. */
export function recall(context: Pick<APIContext, 'cookies'>): FormMemory {
  const memory = readMemory(context.cookies.get(FORM_COOKIE)?.value)
  if (memory.error || memory.failure)
    context.cookies.set(FORM_COOKIE, writeMemory({ email: memory.email, error: '' }), options())
  return memory
}

export function forget(context: Pick<APIContext, 'cookies'>): void {
  context.cookies.delete(FORM_COOKIE, { path: '/login' })
}
