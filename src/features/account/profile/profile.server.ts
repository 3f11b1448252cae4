import type { Db } from '#db/client.ts'
import { dogsLikedBy, dogsOfMember } from '#features/dogs/list/list.server.ts'
import { filterLikedIds } from '#features/likes/likes.server.ts'
import { getMember } from '#features/profiles/member.server.ts'
import { parseProfileTab } from '#features/profiles/profiles.ts'
import { AppError } from '#lib/errors.ts'
import type { ProfileData } from './profile.ts'

/**
 * What a profile's page shows of its address (`?tab=`, `?cursor=`); undefined when there is no such member.
 * @param viewerId who looks
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
  // An address that somebody cut short shows the first page.
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

/** The same, where a failure of the database is told on the page instead of by an error page. */
export async function tryLoadProfile(
  db: Db,
  id: string,
  search: URLSearchParams,
  viewerId: string | null = null,
): Promise<ProfileData | 'failed' | undefined> {
  try {
    return await loadProfile(db, id, search, viewerId)
  } catch (error) {
    console.error(error)
    return 'failed'
  }
}
