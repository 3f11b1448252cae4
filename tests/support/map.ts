import type { Page } from 'playwright'
import { dog, member, seed, withDatabase } from './seed.ts'
import type { TestServer } from './server.ts'

/** The centre of Madrid, near enough that its dogs stand in one circle. */
export const MADRID = 'lat=40.4168&lon=-3.7038&zoom=12'

/** Dogs of Madrid, «Perro 0» the newest, and «Solo» alone in Vigo; by name, with their paths. */
export const dogsOnMap = (server: TestServer, count: number): Promise<Map<string, { id: string; path: string }>> =>
  withDatabase(server, async (db) => {
    const now = Date.now()
    const fields = { breed: 'Beagle', size: 'mediano', owner_id: null } as const
    const [, ...dogs] = await seed(
      db,
      member(),
      ...Array.from({ length: count }, (_, i) =>
        dog({ ...fields, name: `Perro ${i}`, zone: 'Madrid', created_at: now - i * 1000 }),
      ),
      dog({ ...fields, breed: 'Dálmata', name: 'Solo', zone: 'Vigo', created_at: now - 1e9 }),
    )
    return new Map(dogs.map(({ id, name, path }) => [name, { id, path }]))
  })

/** Opens the map where `view` says, and waits until its strip shows dogs. */
export async function openMap(page: Page, server: TestServer, view = MADRID): Promise<void> {
  await page.goto(`${server.url}/?view=map&${view}`)
  await page.locator('.strip .swiper-initialized .strip-card').first().waitFor()
}

/** The card that is selected, by its name; waits until it is this one. */
export const waitForCard = (page: Page, name: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('.strip-card.on h3 a')?.textContent === wanted, name)
