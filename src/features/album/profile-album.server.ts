import type { Db } from '#db/client.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { readAlbum } from './album.server.ts'
import { type AlbumView, readAlbumQuery } from './album.ts'

/**
 * A member's breeds for the tab of their profile (docs/product.md §9.2): the album in user mode, by default breeds with dogs first.
 * `base` names the order A-Z, which album links omit as their default; the last `orden` of an address wins.
 */
export async function loadProfileAlbum(
  db: Db,
  userId: string,
  path: string,
  params: URLSearchParams,
  dataDir: string,
): Promise<{ album: AlbumView; base: string }> {
  const order = params.getAll('orden').at(-1) === 'az' ? 'az' : 'status'
  const query = { ...readAlbumQuery(params), mode: 'user' as const, order } as const
  const album = await readAlbum(db, query, { userId }, await operatorPhotos(dataDir))
  return { album, base: `${path}?tab=razas&orden=az` }
}
