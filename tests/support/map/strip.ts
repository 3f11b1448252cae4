import type { CDPSession, Page } from 'playwright'

/** So many dogs stand in Madrid: several pages of the strip's list. */
export const STRIP_DOG_COUNT = 60

/** Where the strip asks for its dogs. */
export const STRIP_CALL = '/api/map/dogs'

export const stripTitle = (page: Page) => page.locator('.strip h2')
export const nextDog = (page: Page) => page.getByRole('button', { name: 'Perro siguiente' })
export const chevron = (page: Page) => page.getByRole('button', { name: 'Panel de perros' })

/** Presses «Perro siguiente» so many times, each once the card of the last one is selected; again where the list's next page is late. */
export const stepCards = (page: Page, times: number): Promise<void> =>
  page.evaluate(async (times) => {
    const button = document.querySelector<HTMLButtonElement>('.strip [aria-label="Perro siguiente"]')!
    const selected = () => document.querySelector('.strip-card.on')
    for (let i = 0; i < times; i++) {
      const before = selected()
      button.click()
      for (let frames = 0; selected() === before || !selected(); frames++) {
        if (frames > 1000) throw new Error(`no other card is selected by press ${i + 1}`)
        if (frames % 150 === 149) button.click()
        await new Promise(requestAnimationFrame)
      }
    }
  }, times)

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
