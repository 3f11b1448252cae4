import type { Db } from '#db/client.ts'

/** The database that decides which photos are public, by DATA_DIR. */
const databases = new Map<string, Db>()

/** Lets the rows of `db` decide which photos of `dataDir` are public: other machines hide and delete them too. */
export const publishPhotosByRows = (dataDir: string, db: Db): void => void databases.set(dataDir, db)

/** Whether the photo of that name is public now: neither removed nor hidden, by itself or with its dog. Nothing is where no rows say so. */
export async function isPhotoPublic(dataDir: string, name: string): Promise<boolean> {
  const db = databases.get(dataDir)
  return db !== undefined && (await findNonPublicPhotos(db, [name])).length === 0
}

/** Names that are checked in one query. */
const NAMES_PER_QUERY = 500

/** The photos of `names` that no public dog has, as rows say. */
export async function findNonPublicPhotos(db: Db, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < names.length; at += NAMES_PER_QUERY) {
    const some = names.slice(at, at + NAMES_PER_QUERY)
    const ids = [...new Set(some.map((name) => name.slice(0, 36)))]
    const images = await db
      .selectFrom('dogs as d')
      .innerJoin('dog_images as i', 'i.dog_id', 'd.id')
      .select('i.url')
      .where('d.id', 'in', ids)
      .union(db.selectFrom('dogs as d').select('d.photo_url as url').where('d.id', 'in', ids))
      .execute()
    const urls = new Set(images.map(({ url }) => url))
    found.push(...some.filter((name) => !urls.has(`/photos/${name}`)))
  }
  return found
}
