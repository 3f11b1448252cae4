import type { APIContext } from 'astro'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { AppError } from '#lib/errors.ts'
import { noticeText } from './opinion-notices.ts'
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
  { locals: { db, user }, url: { searchParams } }: Pick<APIContext, 'locals' | 'url'>,
  dog: PageDog,
): Promise<OpinionsPageData | 'beginning'> {
  const isOpen = await isAsked(db, dog)
  const isPeople = user !== null && [dog.owner_id, dog.discoverer_id, dog.user_id].includes(user.id)
  const reader = user === null ? 'visitor' : isPeople ? 'people' : 'member'
  const notice = noticeText(searchParams.get('aviso'))
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
