import type { Db } from '#db/client.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { countDogsByBreed } from './album-dogs.server.ts'
import { readAlbum } from './album.server.ts'
import { type AlbumView, readAlbumQuery } from './album.ts'
import { type Comparison, comparisonHref, readComparisonSide } from './compared-albums.ts'

const readOwnersQuery = (params: URLSearchParams) => ({
  ...readAlbumQuery(params),
  mode: 'user' as const,
  role: 'all' as const,
})

/** The viewer's album beside another member's: reads the tallies of both, and the photos of the breeds shown. */
export async function compareAlbums(
  db: Db,
  viewerId: string,
  memberId: string,
  params: URLSearchParams,
  dataDir: string,
): Promise<Comparison> {
  const side = readComparisonSide(params)
  const { breeds } = await getCatalogue(db)
  const mine = await countDogsByBreed(db, { userId: viewerId })
  const theirs = await countDogsByBreed(db, { userId: memberId })
  const countLacking = (has: ReadonlyMap<string, number>, lacks: ReadonlyMap<string, number>) =>
    breeds.filter(({ slug }) => has.has(slug) && !lacks.has(slug)).length
  const [owner, lacking] = side === 'mine' ? [viewerId, theirs] : [memberId, mine]
  const album = await readAlbum(
    db,
    readOwnersQuery(params),
    { userId: owner },
    await operatorPhotos(dataDir),
    (slug, dogs) => dogs > 0 && !lacking.has(slug),
  )
  return {
    side,
    album,
    base: comparisonHref(memberId, side),
    counts: { mine: countLacking(mine, theirs), theirs: countLacking(theirs, mine) },
  }
}

/** The breeds that a member lacks, as an album of empty places. */
export async function readMissingAlbum(
  db: Db,
  userId: string,
  params: URLSearchParams,
  dataDir: string,
): Promise<AlbumView> {
  return readAlbum(db, readOwnersQuery(params), { userId }, await operatorPhotos(dataDir), (_slug, dogs) => dogs === 0)
}
