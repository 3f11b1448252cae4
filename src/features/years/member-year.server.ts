import type { Db } from '#db/client.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { coverAlt } from '#features/dogs/photo-alt.ts'
import { paths } from '#lib/paths.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { provinceNames } from '#features/places/provinces.server.ts'
import { readYearSummary, type YearSummary } from './summary.server.ts'
import type { MemberYear, YearDog } from './years.ts'

/** The dogs of a summary that are still public, by id. */
async function readDogs(db: Db, ids: readonly (string | null)[]): Promise<Map<string, YearDog>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom('dogs').selectAll().where('id', 'in', known).execute()
  const images = await db
    .selectFrom('dog_images')
    .select(['dog_id', 'url', 'alt', 'order', 'width', 'height'])
    .where('dog_id', 'in', known)
    .execute()
  return new Map(
    rows.map((row) => {
      const own = images.filter(({ dog_id }) => dog_id === row.id)
      const dog: YearDog = {
        id: row.id,
        name: displayName(row.name),
        breed: row.breed,
        breedSlug: row.breed_slug,
        path: paths.dog(row),
        photo: row.photo_url,
        alt: coverAlt({ name: row.name, breed: row.breed, zone: row.zone, photo_url: row.photo_url, images: own }),
        addedAt: row.created_at,
      }
      return [row.id, dog]
    }),
  )
}

const readProfile = (db: Db, id: string) =>
  db.selectFrom('profiles').select(['alias', 'emoji']).where('id', '=', id).executeTakeFirst()

/** A member's year with today's names of breeds, dogs and people. */
export async function loadMemberYear(db: Db, userId: string, year: number, now: number): Promise<MemberYear> {
  const summary = await readYearSummary(db, userId, year, now)
  const { firstDogId, lastDogId, likedDogId, fanId } = summary
  const dogs = await readDogs(db, [firstDogId, lastDogId, likedDogId])
  const profile = await readProfile(db, userId)
  const fan = fanId === null ? undefined : await readProfile(db, fanId)
  const dogOf = (id: string | null) => (id === null ? null : (dogs.get(id) ?? null))
  const liked = dogOf(likedDogId)
  return {
    year,
    alias: profile?.alias ?? FALLBACK_ALIAS,
    emoji: profile?.emoji ?? FALLBACK_EMOJI,
    owned: summary.owned,
    discovered: summary.discovered,
    likes: summary.likes,
    breedCount: summary.breedCount,
    liked: liked && { dog: liked, likes: summary.likedLikes },
    fan: fan && fanId !== null ? { id: fanId, alias: fan.alias, likes: summary.fanLikes } : null,
    first: dogOf(firstDogId),
    last: dogOf(lastDogId),
    ...(await nameBreeds(db, summary)),
  }
}

async function nameBreeds(db: Db, { newBreeds, breeds, provinces }: YearSummary) {
  const { bySlug } = await getCatalogue(db)
  const nameOf = (slug: string) => bySlug.get(slug)?.nombre_castellano ?? slug
  const names = provinceNames()
  return {
    newBreeds: newBreeds.map((slug) => ({ slug, name: nameOf(slug) })),
    breeds: breeds.map(([slug, dogs]) => ({ slug, name: nameOf(slug), dogs })),
    provinces: provinces.flatMap(([id, count]) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ id, name, breeds: count }]
    }),
  }
}
