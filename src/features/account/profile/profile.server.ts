import type { Db } from '#db/client.ts'
import { dogsLikedBy, dogsOfMember } from '#features/dogs/list/list.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { parseProfileTab } from '#features/profiles/profiles.ts'
import { AppError } from '#lib/errors.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import type { ProfileData } from './profile.ts'

/**
 * Loads a profile's page from its address (`?tab=`, `?cursor=`); undefined for an unknown member.
 * @param viewerId id of the viewer; null for a visitor
 */
export async function loadProfile(
  db: Db,
  id: string,
  search: URLSearchParams,
  viewerId: string | null = null,
): Promise<ProfileData | undefined> {
  const member = await getMember(db, id)
  if (!member) return undefined
  const tab = parseProfileTab(search.get('tab'))
  const data = { member, tab, dogs: [], liked: new Set<string>(), nextCursor: null }
  if (tab === 'razas') return data
  const list = tab === 'likes' ? dogsLikedBy : dogsOfMember
  const cursor = search.get('cursor') ?? undefined
  // An invalid cursor shows the first page.
  const page = await list(db, id, { cursor }).catch((error: unknown) => {
    if (error instanceof AppError && cursor !== undefined) return list(db, id)
    throw error
  })
  const liked = await filterLikedIds(
    db,
    viewerId,
    page.dogs.map((dog) => dog.id),
  )
  return { ...data, ...page, liked }
}

/** Loads a profile's page, and returns `failed` on an error, which the page then shows itself. @throws where PostgreSQL does not answer */
export async function tryLoadProfile(
  db: Db,
  id: string,
  search: URLSearchParams,
  viewerId: string | null = null,
): Promise<ProfileData | 'failed' | undefined> {
  try {
    return await loadProfile(db, id, search, viewerId)
  } catch (error) {
    if (findStorageFailure(error) === 'unavailable') throw error
    console.error('perrario · una parte de un perfil no se pudo leer:', error)
    return 'failed'
  }
}
