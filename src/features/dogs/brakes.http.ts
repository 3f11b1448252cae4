import { type Admit, admitAll } from '#lib/admit.ts'
import { getEnv } from '#server/env.ts'
import { limitDone } from '#server/rate.ts'

const DAY = 86_400
const TEXTS = {
  many: 'Desde tu conexión ya se han añadido muchos perros hoy. Entra con tu cuenta para añadir más.',
}

/** Counts the dogs that visitors of a network really add (VISITOR_DOGS_PER_DAY); what comes to nothing takes nothing. */
export function admitStranger(ip: string): Admit {
  const { visitorDogsPerDay } = getEnv()
  return visitorDogsPerDay ? limitDone('dog-add-strangers', ip, visitorDogsPerDay, DAY, TEXTS.many) : admitAll
}
