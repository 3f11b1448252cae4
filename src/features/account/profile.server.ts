import type { Db } from '#db/client.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { dogsLikedBy, dogsOfMember } from '#features/dogs/list.server.ts'
import { likedAmong } from '#features/likes/likes.server.ts'
import { getMember, memberBreeds } from '#features/profiles/member.server.ts'
import { profileTab } from '#features/profiles/profiles.ts'
import { AppError } from '#lib/errors.ts'
import { fold } from '#lib/text.ts'
import type { CollectedBreed, ProfileData } from './profile.ts'

/** What a profile's page shows of its address (`?tab=`, `?q=`, `?cursor=`); undefined when there is no such member. `viewerId` is who looks. */
export async function loadProfile(
  db: Db,
  id: string,
  search: URLSearchParams,
  viewerId: string | null = null,
): Promise<ProfileData | undefined> {
  const member = await getMember(db, id)
  if (!member) return undefined
  const tab = profileTab(search.get('tab'))
  const query = (search.get('q') ?? '').trim()
  const data = { member, tab, query, dogs: [], liked: new Set<string>(), breeds: [], nextCursor: null }
  if (tab === 'razas') return { ...data, breeds: await collectedBreeds(db, id, query) }
  const list = tab === 'likes' ? dogsLikedBy : dogsOfMember
  const cursor = search.get('cursor') ?? undefined
  // An address that somebody cut short shows the first page.
  const page = await list(db, id, { cursor }).catch((error: unknown) => {
    if (error instanceof AppError && cursor !== undefined) return list(db, id)
    throw error
  })
  const liked = await likedAmong(
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
  viewer?: string,
): Promise<ProfileData | 'failed' | undefined> {
  try {
    return await loadProfile(db, id, search, viewer)
  } catch (error) {
    console.error(error)
    return 'failed'
  }
}

const spanish = new Intl.Collator('es')

/** The member's breeds by name; with a query those whose name holds it, accents and case aside. */
async function collectedBreeds(db: Db, id: string, query: string): Promise<CollectedBreed[]> {
  const rows = await memberBreeds(db, id)
  return rows
    .map((row) => ({ ...row, name: breedBySlug(row.slug)?.nombre_castellano ?? MIXED_BREED }))
    .filter((breed) => fold(breed.name).includes(fold(query)))
    .sort((a, b) => spanish.compare(a.name, b.name))
}
