import type { Db } from '#db/client.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'
import { photoSrc } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import { type AlbumOwner, countDogsByBreed, findCovers } from '../album-dogs.server.ts'
import { type PrintedAlbum, toSheets } from './sheets.ts'

/** Well-known breeds for the cover; one that is no longer in the catalogue is left out. */
const COVER_BREEDS = ['beagle', 'galgo-espanol', 'dalmata', 'bulldog-frances', 'border-collie']
/** SQLite allows five hundred arms in a compound SELECT. */
const BREEDS_PER_STATEMENT = 100

/** The whole album as pages to print. Costs an index walk per discovered breed, whatever the number of dogs. */
export async function loadPrintedAlbum(
  db: Db,
  owner: AlbumOwner,
  operatorPhotos: ReadonlyMap<string, OperatorPhoto>,
): Promise<PrintedAlbum> {
  const { breeds, bySlug } = await getCatalogue(db)
  const counts = await countDogsByBreed(db, owner)
  const discovered = breeds.filter(({ slug }) => (counts.get(slug) ?? 0) > 0).map(({ slug }) => slug)
  const photos = new Map<string, string[]>()
  for (let at = 0; at < discovered.length; at += BREEDS_PER_STATEMENT)
    for (const [slug, urls] of await findCovers(db, owner, discovered.slice(at, at + BREEDS_PER_STATEMENT), 1))
      photos.set(slug, urls)
  const pictureUrl = (slug: string, portrait: string) => {
    const newest = photos.get(slug)
    // The render of the lists, which exists from the upload on: a box of its own would be drawn for every breed.
    return newest ? photoSrc(newest[0] ?? portrait, 'card') : null
  }
  return {
    sheets: toSheets(
      // By number, not by name: pages that somebody has printed stay right when breeds are added.
      breeds
        .toSorted((a, b) => a.number - b.number)
        .map((breed) => ({
          number: breed.number,
          name: breed.nombre_castellano,
          picture: pictureUrl(breed.slug, breedImageUrl(breed, 'breed', operatorPhotos)),
          silhouette: paths.silhouette(breed.slug),
        })),
    ),
    total: breeds.length,
    discovered: discovered.length,
    cover: COVER_BREEDS.flatMap((slug) => bySlug.get(slug)?.slug ?? [])
      .slice(0, 3)
      .map(paths.portrait),
  }
}
