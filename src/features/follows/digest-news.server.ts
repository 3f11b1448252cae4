import type { Db } from '#db/client.ts'
import type { DigestItem } from '#features/notifications/digest/digest-mail.ts'
import { titleOf } from '#features/notifications/kinds.ts'
import { paths } from '#lib/paths.ts'
import { countNewDogs } from './feed.server.ts'

/** More new dogs than this are not counted. */
const COUNTED_DOGS = 20

/** How many dogs were added since `since` (ms) to what the member follows, as a line of the weekly mail; null for none. */
export async function findFollowNews(db: Db, userId: string, since: number): Promise<DigestItem | null> {
  const count = await countNewDogs(db, userId, since, COUNTED_DOGS + 1)
  if (count === 0) return null
  const dogs =
    count > COUNTED_DOGS
      ? `Más de ${COUNTED_DOGS} perros nuevos`
      : count === 1
        ? 'Un perro nuevo'
        : `${count} perros nuevos`
  return {
    title: titleOf('follows'),
    content: `${dogs} de las personas, razas y zonas que sigues.`,
    path: paths.following,
  }
}
