import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { toDogs } from '#features/dogs/dog.server.ts'
import { readDogPage } from '#features/dogs/list/list.server.ts'
import { findHelpWarning } from '#features/lost/help-warning.ts'
import { lostListPath, lostName } from '#features/lost/list/lost-list.ts'
import { readLostDogs } from '#features/lost/list/lost-list.server.ts'
import { photoName } from '#features/photos/photos.ts'
import type { Province } from '#features/places/provinces.server.ts'
import { formatDate } from '#lib/dates.ts'
import { paths } from '#lib/paths.ts'
import { shownZone } from '#lib/text/zone.ts'
import { FEED_SIZE, type Feed, type FeedEntry } from './feed.ts'
import { breedFeedTitle, describeDog, FEED_TITLE, lostFeed, uniqueDogName } from './heads.ts'

const selectAliases = prepareQuery((db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('profiles').select(['id', 'alias']).where('id', 'in', ids),
)

/** The newest dogs of one breed or of all, by the index of that list. The author is «Subido por» (docs/product.md §18.3). */
async function newestEntries(db: Db, breedSlug?: string): Promise<FeedEntry[]> {
  const rows = await readDogPage(db, breedSlug ? { breed_slug: breedSlug } : {}, 'recent', FEED_SIZE)
  const dogs = await toDogs(db, rows)
  const ids = [...new Set(dogs.flatMap((dog) => dog.discoverer_id ?? dog.owner_id ?? []))]
  const aliases = new Map((ids.length > 0 ? await selectAliases(db, { ids }) : []).map(({ id, alias }) => [id, alias]))
  return dogs.map((dog, index) => {
    const uploader = dog.discoverer_id ?? dog.owner_id ?? ''
    const alias = aliases.get(uploader)
    return {
      id: dog.id,
      title: uniqueDogName(dog),
      text: dog.description ? `${describeDog(dog)}\n\n${dog.description}` : describeDog(dog),
      path: dog.path,
      photo: photoName(dog.photo_url) ? dog.photo_url : null,
      published: dog.created_at,
      updated: rows[index]!.updated_at,
      author: alias === undefined ? null : { alias, path: paths.member(uploader) },
    }
  })
}

/** The feed of all new dogs. */
export async function newDogsFeed(db: Db): Promise<Feed> {
  return {
    title: FEED_TITLE,
    subtitle: 'Los últimos perros del álbum de la comunidad.',
    page: paths.home,
    self: paths.feed,
    entries: await newestEntries(db),
  }
}

/** The feed of a breed's new dogs; null where there is no such breed. */
export async function newBreedDogsFeed(db: Db, slug: string): Promise<Feed | null> {
  const breed = (await getCatalogue(db)).bySlug.get(slug)
  if (!breed) return null
  return {
    title: breedFeedTitle(breed.nombre_castellano),
    subtitle: `Los últimos perros de la raza ${breed.nombre_castellano} en el álbum de la comunidad.`,
    page: paths.breed(slug),
    self: paths.breedFeed(slug),
    entries: await newestEntries(db, slug),
  }
}

/** The feed of lost dogs, of everywhere or of a province. Its entries tell where the circle is by the zone's name alone. */
export async function lostDogsFeed(db: Db, province?: Province): Promise<Feed> {
  const dogs = await readLostDogs(db, province ? { provinces: [province.id] } : {}, FEED_SIZE)
  const { title, href } = lostFeed(province?.name, province?.id)
  return {
    title,
    subtitle: 'Perros que sus familias buscan ahora. Si has visto a uno, cuéntalo en su página.',
    page: lostListPath({ province: province?.id ?? null }),
    self: href,
    entries: dogs.map((dog) => ({
      id: dog.id,
      title: `Se busca: ${lostName(dog.name)}, ${dog.breed}, en ${shownZone(dog.zone)}`,
      // A feed has no fold: what is folded on the page stays there.
      text: [
        `Se perdió el ${formatDate(dog.since)} en ${shownZone(dog.zone)}.`,
        findHelpWarning(dog.help) ? '' : dog.help,
      ]
        .filter(Boolean)
        .join('\n\n'),
      path: dog.path,
      photo: photoName(dog.photo_url) ? dog.photo_url : null,
      published: dog.opened_at,
      updated: dog.updated_at,
      author: null,
    })),
  }
}
