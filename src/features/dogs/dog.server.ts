import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogsTable } from '#db/schema.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import type { CardStyle, Dog, DogImage, Person } from './dogs.ts'

export type DogRow = Selectable<DogsTable>

/** Holo: at least this many likes, and among this many most liked (decisions.md, card styles). */
export const HOLO_LIKES = 5
export const HOLO_RANK = 10

export const dogMissing = () => notFound('El perro que buscas no existe o ha sido eliminado.')

/** The dog, or undefined. */
export async function findDog(db: Db, id: string): Promise<Dog | undefined> {
  const row = await db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && (await toDogs(db, [row]))[0]
}

/** @throws AppError 404 */
export async function getDog(db: Db, id: string): Promise<Dog> {
  const dog = await findDog(db, id)
  if (!dog) throw dogMissing()
  return dog
}

/** Rows as everyone sees them: photos, card style and address added in three queries, however many dogs there are. */
export async function toDogs(db: Db, rows: readonly DogRow[]): Promise<Dog[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [images, cards] = [await imagesOf(db, ids), await cardsOf(db, ids)]
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    breed: row.breed,
    breed_slug: row.breed_slug,
    age: row.age,
    age_unit: row.age_unit,
    weight: row.weight,
    zone: row.zone,
    is_adopted: row.is_adopted === 1,
    description: row.description,
    size: row.size,
    photo_url: row.photo_url,
    user_id: row.user_id,
    owner_id: row.owner_id,
    discoverer_id: row.discoverer_id,
    created_at: row.created_at,
    likes: row.votes,
    votes: row.votes,
    comments: row.comments_count,
    path: paths.dog(row),
    card: cards.get(row.id) ?? null,
    images: images.get(row.id) ?? [],
  }))
}

async function imagesOf(db: Db, ids: readonly string[]): Promise<Map<string, DogImage[]>> {
  const rows = await db
    .selectFrom('dog_images')
    .selectAll()
    .where('dog_id', 'in', ids)
    .orderBy('dog_id')
    .orderBy('order')
    .execute()
  const byDog = new Map<string, DogImage[]>()
  for (const { dog_id, ...image } of rows) {
    const list = byDog.get(dog_id)
    if (list) list.push(image)
    else byDog.set(dog_id, [image])
  }
  return byDog
}

/**
 * Which of these dogs have a special card. Platinum, the first of its breed: no dog of the breed stands before it in
 * dogs_breed_created. Holo, read off the top of dogs_votes, wins over it.
 */
async function cardsOf(db: Db, ids: readonly string[]): Promise<Map<string, CardStyle>> {
  const firsts = await db
    .selectFrom('dogs as d')
    .select('d.id')
    .where('d.id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dogs as o')
            .select('o.id')
            .whereRef('o.breed_slug', '=', 'd.breed_slug')
            .where((eb) => eb(eb.refTuple('o.created_at', 'o.id'), '<', eb.refTuple('d.created_at', 'd.id'))),
        ),
      ),
    )
    .execute()
  const mostLiked = await db
    .selectFrom('dogs')
    .select('id')
    .where('votes', '>=', HOLO_LIKES)
    .orderBy('votes', 'desc')
    .orderBy('id', 'desc')
    .limit(HOLO_RANK)
    .execute()
  const cards = new Map<string, CardStyle>(firsts.map(({ id }) => [id, 'platinum']))
  for (const { id } of mostLiked) cards.set(id, 'holo')
  return cards
}

/** Who is named on a dog's page (decisions.md, roles). */
export interface DogPeople {
  /** «Subido por»: the discoverer, else the owner; null for an anonymous dog. */
  uploader: Person | null
  /** «Dueño»: only where the owner is somebody else. */
  owner: Person | null
  /** «Comentario de …»: who added or claimed the dog, else the uploader. */
  author: Person | null
}

/** The people of a dog's page, in one query. */
export async function peopleOf(db: Db, dog: Pick<Dog, 'user_id' | 'owner_id' | 'discoverer_id'>): Promise<DogPeople> {
  const ids = [dog.user_id, dog.owner_id, dog.discoverer_id].filter((id) => id !== null)
  if (ids.length === 0) return { uploader: null, owner: null, author: null }
  const rows = await db
    .selectFrom('profiles')
    .select(['id', 'alias', 'emoji', 'verified'])
    .where('id', 'in', ids)
    .execute()
  const find = (id: string | null): Person | null => {
    const row = rows.find((r) => r.id === id)
    return row ? { ...row, verified: row.verified === 1 } : null
  }
  const uploader = find(dog.discoverer_id ?? dog.owner_id)
  return {
    uploader,
    owner: dog.discoverer_id && dog.owner_id !== dog.discoverer_id ? find(dog.owner_id) : null,
    author: find(dog.user_id) ?? uploader,
  }
}
