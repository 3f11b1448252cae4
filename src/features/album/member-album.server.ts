import type { Db } from '#db/client.ts'
import { loadBadges } from '#features/badges/member-badges.server.ts'
import { type ShelfBadge, shelfOf } from '#features/badges/shelf.ts'
import { operatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { loadMissingNearby } from '#features/nearby/missing-breeds.server.ts'
import type { MissingNearby } from '#features/nearby/nearby.ts'
import { readAlbum } from './album.server.ts'
import { type AlbumOwnership, type AlbumView, memberAlbumBase, readMemberAlbumQuery } from './album.ts'

/** What the album of a member shows, on whatever page (docs/product.md §6.5, §9.2). */
export interface MemberAlbum {
  album: AlbumView
  whose: AlbumOwnership
  base: string
  /** What «Te faltan cerca» shows below one's own. */
  nearby: MissingNearby | null
  /** The last page of one's own, which has badges instead of places; null on the others. */
  badges: ShelfBadge[] | null
}

interface AlbumRequest {
  /** Null for a visitor. */
  userId: string | null
  /** Whether the member reads it. */
  isOwn: boolean
  /** Address of its page or tab. */
  href: string
  params: URLSearchParams
  dataDir: string
}

/** Reads a page of a member's album. */
export async function loadMemberAlbum(
  db: Db,
  { userId, isOwn, href, params, dataDir }: AlbumRequest,
): Promise<MemberAlbum> {
  const query = readMemberAlbumQuery(params, isOwn)
  const album = await readAlbum(db, query, userId ? { userId } : 'visitor', await operatorPhotos(dataDir))
  const own = isOwn ? userId : null
  return {
    album,
    whose: isOwn ? 'own' : 'other',
    base: memberAlbumBase(href),
    nearby: own ? await loadMissingNearby(db, own) : null,
    badges: own && query.page > album.pages ? shelfOf(await loadBadges(db, own)) : null,
  }
}
