import type { APIRoute } from 'astro'
import { isCardName } from '#features/years/cards.ts'
import { loadMemberYear } from '#features/years/member-year.server.ts'
import { findYearOwner } from '#features/years/page.http.ts'
import { isEmptyYear } from '#features/years/years.ts'
import { AppError } from '#lib/errors.ts'
import { endpoint } from '#server/endpoint.ts'
import { answerCard } from './share.http.ts'
import { toYearCardData } from './card-data.server.ts'

/** `GET /perfil/{year}/{card}.jpg?clave=…`: a card of the reader's year, or of whose link it is, until it is taken back. */
export const serveYearCard: APIRoute = endpoint((context) => {
  const now = Date.now()
  const read = async () => {
    const name = context.params.tarjeta ?? ''
    if (!isCardName(name)) return null
    const found = await findYearOwner(context, now).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 404) return null
      throw error
    })
    if (!found) return null
    const year = await loadMemberYear(context.locals.db, found.ownerId, found.year, now)
    return isEmptyYear(year) ? null : toYearCardData(year, name)
  }
  return answerCard(context, read, () => ({ 'X-Robots-Tag': 'noindex' }))
})
