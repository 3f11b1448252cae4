import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import type { DogsTable } from '#db/schema.ts'
import { findLostMarks } from '#features/lost/open-cases.server.ts'
import type { LostMark } from '#features/lost/lost.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import type { CardStyle, Dog, DogImage, Person } from './dogs.ts'
import { DOG_FIELD_NAMES, type DogInput } from './write/dog-fields.ts'

export type DogRow = Selectable<DogsTable>

/** Holo: at least this many likes, and among this many most liked (docs/product.md §1.4). */
export const HOLO_MIN_LIKES = 5
export const HOLO_MAX_RANK = 10

export const dogNotFound = () => notFound('El perro que buscas no existe o ha sido eliminado.')

const dogRows = prepareQuery((db, { id }: { id: string }) => db.selectFrom('dogs').selectAll().where('id', '=', id))

/** What a dog's people say of it; a role is no field of a stored dog. */
export type DogFields = Omit<DogInput, 'relationship'>
type FieldColumns = Pick<DogRow, keyof DogFields>

const STORED_FIELDS = DOG_FIELD_NAMES.filter((name) => name !== 'relationship')

/** The fields of a stored dog, as they are read from a form. */
export function fieldsOf(row: FieldColumns): DogFields {
  const columns = Object.fromEntries(STORED_FIELDS.map((name) => [name, row[name]])) as FieldColumns
  return { ...columns, is_adopted: row.is_adopted === 1 }
}

/** The dog, or undefined. */
export async function findDog(db: Db, id: string): Promise<Dog | undefined> {
  const [row] = await dogRows(db, { id })
  return row && (await toDogs(db, [row]))[0]
}

/** @throws AppError 404 */
export async function getDog(db: Db, id: string): Promise<Dog> {
  const dog = await findDog(db, id)
  if (!dog) throw dogNotFound()
  return dog
}

/** Rows in their public form. Three or four queries add photos, card style and who is lost, however many dogs there are. */
export async function toDogs(db: Db, rows: readonly DogRow[]): Promise<Dog[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [{ images, blurs }, cards] = [await findImages(db, ids), await findCardStyles(db, rows)]
  const lost = await findLostMarks(db, ids)
  return rows.map((row) => ({
    id: row.id,
    ...fieldsOf(row),
    breed_slug: row.breed_slug,
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
    frame: row.frame,
    blur: blurs.get(row.photo_url) || null,
    images: images.get(row.id) ?? [],
    ...withLostMark(lost.get(row.id)),
  }))
}

const withLostMark = (mark: LostMark | undefined) => (mark ? { lost: mark } : {})

const imageRows = prepareQuery((db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('dog_images').selectAll().where('dog_id', 'in', ids).orderBy('dog_id').orderBy('order'),
)

/** Photos by dog id, and blurs by photo URL: a card shows only its cover's blur. */
async function findImages(db: Db, ids: readonly string[]) {
  const rows = await imageRows(db, { ids })
  const images = new Map<string, DogImage[]>()
  const blurs = new Map<string, string | null>()
  for (const { dog_id, blur, hidden: _, ...image } of rows) {
    blurs.set(image.url, blur)
    const list = images.get(dog_id)
    if (list) list.push(image)
    else images.set(dog_id, [image])
  }
  return { images, blurs }
}

/** Platinum, the first of its breed: dogs_breed_created has no earlier dog of the breed. */
const firstOfBreedRows = prepareQuery((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('dogs as d')
    .select('d.id')
    .where('d.id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dogs as earlier')
            .select('earlier.id')
            .whereRef('earlier.breed_slug', '=', 'd.breed_slug')
            .where((eb) =>
              eb(eb.refTuple('earlier.created_at', 'earlier.id'), '<', eb.refTuple('d.created_at', 'd.id')),
            ),
        ),
      ),
    ),
)

/** Reads the first rows of the index dogs_votes. */
const mostLikedRows = prepareQuery((db) =>
  db
    .selectFrom('dogs')
    .select('id')
    .where('votes', '>=', HOLO_MIN_LIKES)
    .orderBy('votes', 'desc')
    .orderBy('id', 'desc')
    .limit(HOLO_MAX_RANK),
)

/** Which of these dogs have a special card; holo wins over platinum. */
async function findCardStyles(db: Db, rows: readonly DogRow[]): Promise<Map<string, CardStyle>> {
  const firstOfBreed = await firstOfBreedRows(db, { ids: rows.map((row) => row.id) })
  const mostLiked = rows.some((row) => row.votes >= HOLO_MIN_LIKES) ? await mostLikedRows(db, {}) : []
  const cards = new Map<string, CardStyle>(firstOfBreed.map(({ id }) => [id, 'platinum']))
  for (const { id } of mostLiked) cards.set(id, 'holo')
  return cards
}

/** The people named on a dog's page (docs/product.md §5.3). */
export interface DogPeople {
  /** «Subido por»: the discoverer, else the owner; null for an anonymous dog. */
  uploader: Person | null
  /** «Dueño»: only when the owner is not the uploader. */
  owner: Person | null
  /** «Comentario de …»: the member who added or claimed the dog, else the uploader. */
  author: Person | null
}

const profileRows = prepareQuery((db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('profiles').select(['id', 'alias', 'emoji', 'verified']).where('id', 'in', ids),
)

/** The people named on a dog's page, in one query. */
export async function findDogPeople(
  db: Db,
  dog: Pick<Dog, 'user_id' | 'owner_id' | 'discoverer_id'>,
): Promise<DogPeople> {
  const ids = [dog.user_id, dog.owner_id, dog.discoverer_id].filter((id) => id !== null)
  if (ids.length === 0) return { uploader: null, owner: null, author: null }
  const rows = await profileRows(db, { ids })
  const findPerson = (id: string | null): Person | null => {
    const row = rows.find((profile) => profile.id === id)
    return row ? { ...row, verified: row.verified === 1 } : null
  }
  const uploader = findPerson(dog.discoverer_id ?? dog.owner_id)
  return {
    uploader,
    owner: dog.discoverer_id && dog.owner_id !== dog.discoverer_id ? findPerson(dog.owner_id) : null,
    author: findPerson(dog.user_id) ?? uploader,
  }
}
