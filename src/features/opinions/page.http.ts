import type { APIContext } from 'astro'
import { takeTyped } from '#features/auth/flash.http.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { AppError } from '#lib/errors.ts'
import { noticeField, noticeText, splitTyped } from './opinion-notices.ts'
import type { BreedCount, BreedOpinion } from './opinions.ts'
import { findOwnOpinion, isAsked, listOpinions, readTally } from './tally.server.ts'

export interface OpinionsPageData {
  isOpen: boolean
  breeds: BreedCount[]
  opinions: BreedOpinion[]
  nextCursor: string | null
  own: { breed: string; reason: string } | null
  reader: 'visitor' | 'member' | 'people'
  readerId: string | null
  /** Every breed's name, for the field of who may answer. */
  names: string[]
  notice: string | null
  /** The field that the notice is about. */
  wrong: 'breed' | 'reason' | null
  /** What a refused form said. */
  typed: { breed: string; reason: string } | null
}

interface PageDog {
  id: string
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
}

/**
 * What the page of a dog's opinions shows its reader.
 * @returns `beginning` for a cursor that leads nowhere
 */
export async function loadOpinionsPage(
  context: Pick<APIContext, 'locals' | 'url' | 'cookies'>,
  dog: PageDog,
): Promise<OpinionsPageData | 'beginning'> {
  const { db, user } = context.locals
  const { searchParams } = context.url
  const isOpen = await isAsked(db, dog)
  const isPeople = user !== null && [dog.owner_id, dog.discoverer_id, dog.user_id].includes(user.id)
  const reader = user === null ? 'visitor' : isPeople ? 'people' : 'member'
  const outcome = searchParams.get('aviso')
  const notice = noticeText(outcome)
  const closed = {
    isOpen,
    breeds: [],
    opinions: [],
    nextCursor: null,
    own: null,
    reader,
    readerId: user?.id ?? null,
    names: [],
    notice,
    wrong: noticeField(outcome),
    typed: notice === null ? null : splitTyped(takeTyped(context)),
  } satisfies OpinionsPageData
  if (!isOpen) return closed
  try {
    const page = await listOpinions(db, dog.id, { cursor: searchParams.get('cursor') ?? undefined, user })
    return {
      ...closed,
      ...page,
      breeds: await readTally(db, dog.id),
      own: await findOwnOpinion(db, dog.id, user),
      names: reader === 'member' ? breedNames.map(({ name }) => name) : [],
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return 'beginning'
    throw error
  }
}
