import type { BrowserContextOptions, CDPSession, Page } from 'playwright'
import { type MadridWorld, openMadrid } from './madrid-suite.ts'

/** So many dogs stand in Madrid: several pages of the strip's list. */
export const STRIP_DOG_COUNT = 60

/** A page on the map, and the dogs its strip asked for. */
export async function openStrip(
  t: MadridWorld,
  options?: BrowserContextOptions,
  expected: RegExp | null = null,
  view?: string,
) {
  const asked: URL[] = []
  const hear = (url: URL) => {
    if (url.pathname === '/api/map/dogs') asked.push(url)
  }
  return { ...(await openMadrid(t, hear, options, expected, view)), asked }
}

export const stripTitle = (page: Page) => page.locator('.strip h2')
export const nextDog = (page: Page) => page.getByRole('button', { name: 'Perro siguiente' })
export const chevron = (page: Page) => page.getByRole('button', { name: 'Panel de perros' })

/** The names of the cards that are wholly seen. */
export const visibleCards = (page: Page) =>
  page.locator('.strip-card').evaluateAll((cards) =>
    cards
      .filter((card) => {
        const { left, right } = card.getBoundingClientRect()
        const room = document.querySelector('.strip-room')!.getBoundingClientRect()
        return left >= room.left - 1 && right <= room.right + 1
      })
      .map((card) => card.querySelector('h3 a')!.textContent),
  )

/** A finger's way over the screen. */
export async function dragFinger(page: Page, from: [number, number], to: [number, number]) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await touch('touchStart', [{ x: from[0], y: from[1] }])
  for (let step = 1; step <= 10; step++) {
    const at = (i: 0 | 1) => from[i] + ((to[i] - from[i]) * step) / 10
    await touch('touchMove', [{ x: at(0), y: at(1) }])
  }
  await touch('touchEnd', [])
  await session.detach()
}
