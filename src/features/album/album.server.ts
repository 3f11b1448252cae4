import type { Db } from '#db/client.ts'
import { type CatalogueBreed, getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { otherNames } from '#features/breeds/catalogue.server.ts'
import { breedMark } from '#features/breeds/profile/marks.ts'
import { searchBreeds } from '#features/breeds/search.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'
import { paths } from '#lib/paths.ts'
import { foldText } from '#lib/text/text.ts'
import { type AlbumOwner, countDogsByBreed, findCovers, findNewestByBreed } from './album-dogs.server.ts'
import {
  type AlbumQuery,
  type AlbumRole,
  type AlbumTab,
  type AlbumView,
  letterTabs,
  PHOTOS_PER_ROW,
  type Slot,
  PHOTOS_PER_SLOT,
  SLOTS_PER_SPREAD,
} from './album.ts'

/** The breeds that a search finds, best first. Where no name contains the text, the breeds' other names are searched. */
export function findBreeds(breeds: readonly CatalogueBreed[], text: string): CatalogueBreed[] {
  if (!text) return [...breeds]
  const byName = new Map(breeds.map((breed) => [breed.nombre_castellano, breed]))
  const found = searchBreeds(text, [...byName.keys()])
  if (found.length > 0) return found.flatMap((name) => byName.get(name) ?? [])
  return breeds.filter((breed) => {
    const names = [breed.nombre_original, breed.nombre_ingles, ...breed.alias, ...otherNames(breed.nombre_castellano)]
    return searchBreeds(text, names).length > 0
  })
}

const toTabs = (breeds: readonly CatalogueBreed[]): AlbumTab[] =>
  letterTabs(breeds.map((breed) => foldText(breed.nombre_castellano).charAt(0).toUpperCase()))

const tabsByBreeds = new WeakMap<readonly CatalogueBreed[], AlbumTab[]>()

/** The letter tabs of all breeds; grouped once per version of the catalogue. */
function catalogueTabs(breeds: readonly CatalogueBreed[]): AlbumTab[] {
  let tabs = tabsByBreeds.get(breeds)
  if (!tabs) tabsByBreeds.set(breeds, (tabs = toTabs(breeds)))
  return tabs
}

const collator = new Intl.Collator('es')
const byName = (a: CatalogueBreed, b: CatalogueBreed) => collator.compare(a.nombre_castellano, b.nombre_castellano)

type BreedCounts = ReadonlyMap<string, number>

/** Dogs per breed in each role of a member, where the album is theirs and filtered by role; null otherwise. */
async function countByRole(
  db: Db,
  owner: AlbumOwner,
  all: BreedCounts,
): Promise<Record<AlbumRole, BreedCounts> | null> {
  if (typeof owner !== 'object') return null
  return {
    all,
    owned: await countDogsByBreed(db, { ...owner, role: 'owned' }),
    discovered: await countDogsByBreed(db, { ...owner, role: 'discovered' }),
  }
}

/**
 * One spread of an album (docs/product.md §6.2). Reads the tallies and the photos of the 24 breeds shown, whatever the number of
 * dogs. Breeds that are no longer in the catalogue do not count. A member's own is filtered by their role (docs/product.md §6.8), and then
 * has only the breeds of such dogs.
 * @param isShown leaves out breeds, by slug and number of dogs; such an album has no filter by role
 */
export async function readAlbum(
  db: Db,
  query: AlbumQuery,
  owner: AlbumOwner,
  operatorPhotos: ReadonlyMap<string, OperatorPhoto> = new Map(),
  isShown?: (slug: string, dogs: number) => boolean,
): Promise<AlbumView> {
  const { breeds } = await getCatalogue(db)
  const allCounts = await countDogsByBreed(db, owner)
  const countsByRole = isShown ? null : await countByRole(db, owner, allCounts)
  const role = countsByRole ? query.role : 'all'
  const counts = countsByRole?.[role] ?? allCounts
  const countOf = (breed: CatalogueBreed) => counts.get(breed.slug) ?? 0
  const isFiltered = isShown !== undefined || role !== 'all'
  let found = findBreeds(breeds, query.search)
  if (isShown) found = found.filter((breed) => isShown(breed.slug, countOf(breed)))
  else if (role !== 'all') found = found.filter((breed) => countOf(breed) > 0)
  if (query.order === 'newest' && typeof owner === 'object') {
    const newest = await findNewestByBreed(db, owner.userId)
    found.sort((a, b) => (newest.get(b.slug) ?? 0) - (newest.get(a.slug) ?? 0) || byName(a, b))
  }
  if (query.order === 'status') found.sort((a, b) => countOf(b) - countOf(a) || byName(a, b))
  const pages = Math.max(1, Math.ceil(found.length / SLOTS_PER_SPREAD))
  const page = Math.min(query.page, pages)
  const shown = found.slice((page - 1) * SLOTS_PER_SPREAD, page * SLOTS_PER_SPREAD)
  const photos = await findCovers(
    db,
    typeof owner === 'object' ? { ...owner, role } : owner,
    shown.filter((breed) => countOf(breed) > 0).map((breed) => breed.slug),
    query.view === 'list' ? PHOTOS_PER_ROW : PHOTOS_PER_SLOT,
  )
  const countBreeds = (of: BreedCounts) => breeds.filter(({ slug }) => (of.get(slug) ?? 0) > 0).length
  const isAlphabetical = query.order === 'az' && !query.search
  return {
    query: { ...query, role, page },
    total: breeds.length,
    discovered: countBreeds(allCounts),
    dogs: breeds.reduce((sum, { slug }) => sum + (allCounts.get(slug) ?? 0), 0),
    found: found.length,
    slots: shown.map((breed) =>
      toSlot(breed, countOf(breed), photos.get(breed.slug) ?? [], breedImageUrl(breed, 'thumb', operatorPhotos)),
    ),
    page,
    pages,
    tabs: !isAlphabetical ? [] : isFiltered ? filteredTabs(found, pages) : catalogueTabs(breeds),
    roles: countsByRole && {
      all: countBreeds(countsByRole.all),
      owned: countBreeds(countsByRole.owned),
      discovered: countBreeds(countsByRole.discovered),
    },
  }
}

/** One spread needs no tabs. */
const filteredTabs = (breeds: readonly CatalogueBreed[], pages: number) => (pages > 1 ? toTabs(breeds) : [])

const toSlot = (breed: CatalogueBreed, count: number, photos: string[], image: string): Slot => ({
  slug: breed.slug,
  name: breed.nombre_castellano,
  number: breed.number,
  count,
  photos,
  image,
  silhouette: paths.silhouette(breed.slug),
  mark: breedMark(breed),
})
