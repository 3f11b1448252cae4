import type { Db } from '#db/client.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { readAlbum } from './album.server.ts'
import { type AlbumView, memberAlbumBase, readMemberAlbumQuery } from './album.ts'

/**
 * A member's breeds for the tab of their profile (docs/product.md §9.2): the album in user mode.
 */
export async function loadProfileAlbum(
  db: Db,
  userId: string,
  path: string,
  params: URLSearchParams,
  dataDir: string,
): Promise<{ album: AlbumView; base: string }> {
  const album = await readAlbum(db, readMemberAlbumQuery(params), { userId }, await operatorPhotos(dataDir))
  return { album, base: memberAlbumBase(`${path}?tab=razas`) }
}
