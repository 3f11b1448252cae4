import type { APIContext } from 'astro'
import { findLinkedMember, findMemberLink } from '#features/profiles/member-links.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { toYearCards, type YearCard } from './cards.ts'
import { listCommunityYears } from './community-year.server.ts'
import { loadMemberYear } from './member-year.server.ts'
import { drawProvinces } from './province-map.server.ts'
import type { ProvinceMapData } from './province-map.ts'
import { isEmptyYear, type MemberYear, YEAR_TEXTS, yearLink } from './years.ts'
import { pathYear } from './years.http.ts'

export interface YearPageData {
  year: MemberYear
  /** The eight cards; none of a year without dogs and likes. */
  cards: YearCard[]
  map: ProvinceMapData
  isOwn: boolean
  /** The token of the address, where it is right. */
  token: string | null
  /** Whether the member has a link. */
  hasLink: boolean
  /** Whether the community's year was counted. */
  hasCommunityYear: boolean
  /** What the last form did. */
  done: 'retirado' | 'veto' | 'muchos' | null
}

type YearContext = Pick<APIContext, 'locals' | 'params' | 'url'>

/**
 * Whose year an address shows: with a token that of its member, else the reader's own.
 * @returns null for a visitor without a token
 * @throws AppError 404 for a year that cannot be looked back on, and for a token that is worth nothing
 */
export async function findYearOwner(
  { locals: { db, user }, params, url }: YearContext,
  now: number,
): Promise<{ ownerId: string; year: number; token: string | null } | null> {
  const year = pathYear({ params }, now)
  const token = url.searchParams.get('clave')
  if (token === null) return user ? { ownerId: user.id, year, token } : null
  const owner = await findLinkedMember(db, yearLink(year), token, user?.id ?? null, now)
  if (owner === null) throw notFound(YEAR_TEXTS.noLink)
  return { ownerId: owner.id, year, token }
}

/**
 * Loads the page of a member's year.
 * @returns the sentence that says why there is none; null for a visitor without a token
 */
export async function loadYearPage(context: YearContext, now = Date.now()): Promise<YearPageData | string | null> {
  const { db, user } = context.locals
  try {
    const found = await findYearOwner(context, now)
    if (!found) return null
    const { ownerId, year: number, token } = found
    const isOwn = ownerId === user?.id
    const year = await loadMemberYear(db, ownerId, number, now)
    const done = context.url.searchParams.get('enlace')
    return {
      year,
      cards: isEmptyYear(year) ? [] : toYearCards(year, isOwn ? 'member' : 'others'),
      map: drawProvinces(year.provinces.map(({ id, breeds }) => ({ id, count: breeds }))),
      isOwn,
      token,
      hasLink: isOwn && (await findMemberLink(db, ownerId, yearLink(number))) !== null,
      hasCommunityYear: (await listCommunityYears(db)).includes(number),
      done: done === 'retirado' || done === 'veto' || done === 'muchos' ? done : null,
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return error.message
    throw error
  }
}
