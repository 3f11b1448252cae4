import type { APIContext } from 'astro'
import { isSecure } from '#features/auth/session.http.ts'
import { formCookie, type FormMemory, readMemory, writeMemory } from './form-memory.ts'

/** True for what a plain HTML form sends. */
export const isForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? '')

/** No address of ours is as long; one that holds what a form sent may be, and no browser could ask for it. */
const ADDRESS_MAX = 4000

/** 303: the browser asks for `to` with GET, so that reloading it sends nothing again. Without its query if that is too long. */
export function redirect(to: string): Response {
  const address = to.length > ADDRESS_MAX ? to.slice(0, ADDRESS_MAX).split(/[?#]/, 1)[0]! : to
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })
}

const name = () => formCookie(isSecure())
const options = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure() }) as const
const SECONDS = 15 * 60

const keep = ({ cookies }: Pick<APIContext, 'cookies'>, memory: FormMemory) =>
  cookies.set(name(), writeMemory(memory), { ...options(), maxAge: SECONDS })

/** Sends a form's sender on to `to`, which reads the memory back with `recall`. */
export function remember(context: Pick<APIContext, 'cookies'>, to: string, memory: FormMemory): Response {
  keep(context, memory)
  return redirect(to)
}

/** What the last form left. The sentence is shown once: a later visit starts clean, but still knows the address. */
export function recall(context: Pick<APIContext, 'cookies'>): FormMemory {
  const memory = readMemory(context.cookies.get(name())?.value)
  if (memory.error || memory.failure) keep(context, { email: memory.email, error: '' })
  return memory
}

export function forget(context: Pick<APIContext, 'cookies'>): void {
  context.cookies.delete(name(), options())
}
