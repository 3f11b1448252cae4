import type { Db } from '#db/client.ts'
import type { DigestPart } from '#features/notifications/digest/digest-mail.ts'
import { paths } from '#lib/paths.ts'
import { readHomeZone } from './home-zone/home-zone.server.ts'
import { listMissingBreeds } from './missing-breeds.server.ts'
import { dogsSeenText } from './nearby.ts'
import { nearbyPaths } from './nearby-paths.ts'

/** Breeds that a mail names. */
const MAIL_BREEDS = 3

/** «Te faltan cerca» in a member's weekly mail; null without a home zone, where they have switched it off, and where nothing is missing. */
export async function readDigestPart(db: Db, userId: string, now: number): Promise<DigestPart | null> {
  const home = await readHomeZone(db, userId)
  if (!home?.digest) return null
  const breeds = await listMissingBreeds(db, userId, home, { now, limit: MAIL_BREEDS })
  if (breeds.length === 0) return null
  return {
    title: 'Te faltan cerca',
    lines: breeds.map(({ name, slug, dogs }) => ({ text: `${name}: ${dogsSeenText(dogs)}`, path: paths.breed(slug) })),
    settings: { label: 'Cambiar lo que te contamos de tu zona', path: nearbyPaths.alerts },
  }
}
