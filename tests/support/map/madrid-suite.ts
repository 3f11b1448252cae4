import type { BrowserContextOptions, Page } from 'playwright'
import type { Trx as Db } from '#db/client.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { dogId, mapSuite, type MapVisit, openMap, type SeededDogs } from './map-suite.ts'

/** A suite over one server with so many dogs in Madrid. */
export const madridSuite = (name: string, count: number, options?: BrowserContextOptions) =>
  mapSuite(name, { seedDogs: (db) => seedMadridDogs(db, count), ...(options && { options }) })

/** The centre of Madrid, near enough that its dogs stand in one circle. */
export const MADRID = 'lat=40.4168&lon=-3.7038&zoom=12'

/** Dogs of Madrid, «Perro 0» the newest, and «Solo» alone in Vigo; by name, with their paths. */
async function seedMadridDogs(db: Db, count: number): Promise<SeededDogs> {
  const now = Date.now()
  const fields = { breed: 'Beagle', size: 'mediano', owner_id: null } as const
  const [, ...dogs] = await seed(
    db,
    member(),
    ...Array.from({ length: count }, (_, i) =>
      dog({ ...fields, id: dogId(i), name: `Perro ${i}`, zone: 'Madrid', created_at: now - i * 1000 }),
    ),
    dog({ ...fields, breed: 'Dálmata', name: 'Solo', zone: 'Vigo', created_at: now - 1e9 }),
  )
  return new Map(dogs.map(({ id, name, path }) => [name, { id, path }]))
}

/** Opens the map at `query` as a new visit, and waits until its strip shows the dogs there. */
export async function openMadrid(
  visit: Pick<MapVisit, 'page' | 'server'> & Partial<Pick<MapVisit, 'calls'>>,
  query = MADRID,
): Promise<void> {
  await openMap(visit, query)
  await waitForStrip(visit.page)
}

/** The strip shows the dogs of the view, as a carousel. */
export const waitForStrip = (page: Page): Promise<unknown> =>
  page.waitForSelector('.strip[data-state="loaded"] .swiper-initialized .strip-card')

/** The card that is selected, by its name; waits until it is this one. */
export const waitForCard = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('.strip-card.on h3 a')?.textContent === wanted, name)
