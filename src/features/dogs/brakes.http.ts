import { type Admit, admitAll } from '#lib/admit.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { isTrapped, TRAP } from '#lib/trap.ts'
import { getEnv } from '#server/env.ts'
import { limitDone } from '#server/rate.ts'
import { tally } from '#server/tally.ts'
import { isTooSoon, LEAST_PACE, PACE_FIELD } from './pace.ts'

const DAY = 86_400
const TEXTS = {
  many: 'Desde tu conexión ya se han añadido muchos perros hoy. Entra con tu cuenta para añadir más.',
  trapped:
    'Venía relleno un campo que nadie ve, como hacen los programas (y a veces el autorrelleno). Aquí sigue todo: vuelve a pulsar «Añadir perro».',
  soon: '¡Qué rapidez! Para no confundirte con un programa, espera un par de segundos y vuelve a pulsar «Añadir perro»: aquí sigue todo.',
}

/**
 * Refuses what a program has filled in: the trap, whoever sends it; of visitors also what was sent too soon after the form
 * was opened. A person who meets either by accident has lost nothing, and the second press goes through.
 * @throws AppError 422, 429
 */
export function refusePrograms(form: FormData, isVisitor: boolean): void {
  if (isTrapped(form.get(TRAP))) {
    tally('refused', 'trap of the dog form')
    throw invalid(TEXTS.trapped)
  }
  if (isVisitor && isTooSoon(form.get(PACE_FIELD))) {
    tally('refused', 'pace of the dog form')
    throw new AppError(429, TEXTS.soon, { retryAfter: LEAST_PACE / 1000 })
  }
}

/** Counts the dogs that visitors of a network really add (VISITOR_DOGS_PER_DAY); what comes to nothing takes nothing. */
export function admitStranger(ip: string): Admit {
  const { visitorDogsPerDay } = getEnv()
  return visitorDogsPerDay ? limitDone('dog-add-strangers', ip, visitorDogsPerDay, DAY, TEXTS.many) : admitAll
}
