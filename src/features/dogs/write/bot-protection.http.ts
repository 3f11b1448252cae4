import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { isHoneypotFilled, HONEYPOT_FIELD } from '#lib/honeypot.ts'
import { getEnv } from '#server/env.ts'
import { countRefusals, HONEYPOT_OFFENCE, recordOffence } from '#server/limits/network-conduct.ts'
import { networkShareQuota } from '#server/limits/network-share.ts'
import { limitSuccessful } from '#server/limits/rate-limit.ts'
import { incrementCounter } from '#server/counters.ts'
import { isFilledTooFast, MIN_FILL_TIME_MS, FILL_TIME_FIELD } from '#features/dogs/form/form-values.ts'
import { DAY_SECONDS } from '#lib/time.ts'

const TEXTS = {
  quota: 'Desde tu conexión ya se han añadido muchos perros hoy. Entra con tu cuenta para añadir más.',
  honeypot:
    'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Aquí sigue todo: vuelve a pulsar «Añadir perro».',
  tooFast:
    '¡Qué rapidez! Para no confundirte con un programa, espera un par de segundos y vuelve a pulsar «Añadir perro»: aquí sigue todo.',
}

/**
 * Refuses forms that a program filled in, and counts it against their network: a filled honeypot from anyone, and from visitors also a
 * form sent too soon after it was opened. A person refused by accident loses nothing: the second press succeeds.
 * @throws AppError 422, 429
 */
export async function assertNotBot(form: FormData, isVisitor: boolean, network: string): Promise<void> {
  if (isHoneypotFilled(form.get(HONEYPOT_FIELD))) {
    incrementCounter('refused', 'trap of the dog form')
    await recordOffence(network, HONEYPOT_OFFENCE)
    throw invalid(TEXTS.honeypot)
  }
  if (isVisitor && isFilledTooFast(form.get(FILL_TIME_FIELD))) {
    incrementCounter('refused', 'pace of the dog form')
    await recordOffence(network)
    throw new AppError(429, TEXTS.tooFast, { retryAfter: MIN_FILL_TIME_MS / 1000 })
  }
}

/** The daily quota of dogs that visitors of a network add (VISITOR_DOGS_PER_DAY). Failed attempts do not count. */
export function visitorDogQuota(network: string): Quota {
  const { visitorDogsPerDay } = getEnv()
  return visitorDogsPerDay
    ? countRefusals(network, limitSuccessful('dog-add-visitor', network, visitorDogsPerDay, DAY_SECONDS, TEXTS.quota))
    : unlimitedQuota
}

/** What of visitors' dogs may wait for the admin (VISITOR_DOGS_TO_REVIEW), and a network's share of that in a day. */
export function anonymousReviewLimits(network: string): { max: number; quota: Quota } {
  const { anonymousReviewsMax: max } = getEnv()
  return { max, quota: networkShareQuota('anonymous dogs to review', network, max, TEXTS.quota) }
}
