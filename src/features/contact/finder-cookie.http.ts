import type { APIContext } from 'astro'
import { isUuid } from '#lib/identifiers.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { isHttpsSite } from '#server/env.ts'
import { FINDER_COOKIE_DAYS, finderCookieName, MAX_FINDER_SECRETS } from './finder-cookie.ts'
import { isFinderSecret } from './finder-secret.server.ts'

type Context = Pick<APIContext, 'cookies'>

/** The secrets that this device holds, by the id of their thread or notice, oldest first. Anything else in the cookie is left out. */
export function readFinderSecrets({ cookies }: Context): ReadonlyMap<string, string> {
  const value = cookies.get(finderCookieName(isHttpsSite()))?.value ?? ''
  const pairs = value.split('.').map((pair) => pair.split('~') as [string, string?])
  return new Map(pairs.flatMap(([id, secret]) => (isUuid(id) && isFinderSecret(secret) ? [[id, secret] as const] : [])))
}

/**
 * Keeps a secret on this device. Call it only with one that opens what `id` names, in the answer to a POST.
 * @param id of the thread or notice
 */
export function addFinderSecret(context: Context, id: string, secret: string): void {
  const others = [...readFinderSecrets(context)].filter(([other]) => other !== id)
  const pairs = [...others, [id, secret] as const].slice(-MAX_FINDER_SECRETS)
  const secure = isHttpsSite()
  context.cookies.set(finderCookieName(secure), pairs.map((pair) => pair.join('~')).join('.'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: FINDER_COOKIE_DAYS * DAY_SECONDS,
  })
}
