import type { Db } from '#db/client.ts'
import { shownName } from '#features/dogs/dogs.ts'
import { heldDog } from '#features/dogs/hold.server.ts'
import { galleryPhotos } from '#features/dogs/page/gallery.ts'
import { type Held, heldAt, heldFor } from '#features/moderation/held.server.ts'
import { heldPhotoUrl } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import type { HeldView } from './held.ts'

async function view(db: Db, held: Held): Promise<HeldView> {
  const { dog, images } = heldDog(held)
  const decision = await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.reason')
    .where('c.kind', '=', held.kind)
    .where('c.thing_id', '=', held.thing_id)
    .where('d.deed', '=', 'hide')
    .orderBy('d.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    id: dog.id,
    name: shownName(dog.name),
    breed: dog.breed,
    path: paths.dog(dog),
    description: dog.description,
    photos: galleryPhotos({ ...dog, images }).map((photo) => ({ ...photo, url: heldPhotoUrl(photo.url) })),
    waits: !decision && held.cause !== 'reports' && held.cause !== 'admin',
    reason: decision?.reason ?? null,
  }
}

/** What stands at an address for its people alone; null for everyone else, and where nothing is held. */
export async function ownHeldAt(db: Db, userId: string | null, breed: string, slug: string): Promise<HeldView | null> {
  const held = userId === null ? undefined : await heldAt(db, breed, slug)
  return held && (held.user_id === userId || held.other_id === userId) ? view(db, held) : null
}

/** The member's dogs that others do not see, newest first. */
export async function ownHeld(db: Db, userId: string): Promise<HeldView[]> {
  const views: HeldView[] = []
  for (const held of await heldFor(db, userId, 'dog')) views.push(await view(db, held))
  return views
}
