import type { Page } from 'playwright'

/** More stops than a page may have here: the album's places go on and on. */
const MAX_TAB_STOPS = 70
/** Fewer stops than any page has: its frame alone has more. */
const MIN_TAB_STOPS = 10

/** The browser offers to install the site, which does so in a card. */
export async function showInstallCard(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.setItem('perrario-visitas', `3 ${Date.now()}`)
    const event = new Event('beforeinstallprompt', { cancelable: true })
    window.dispatchEvent(Object.assign(event, { prompt: async () => ({ outcome: 'dismissed' }) }))
  })
  await page.locator('.install').waitFor()
}

/** What is wrong with what has the focus; null at the page's end. */
const findFocusFaults = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at || at === document.body) return null
    const name = at.outerHTML.slice(0, 110)
    const boxes = [at, ...((at as HTMLInputElement).labels ?? [])].flatMap((one) => [...one.getClientRects()])
    const isSeen = boxes.some((box) => {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const points = [
        [x, y],
        ...[box.left + 2, box.right - 2].flatMap((x) => [box.top + 2, box.bottom - 2].map((y) => [x, y])),
      ]
      return points.some(([x, y]) => {
        const hit = document.elementFromPoint(x!, y!)
        return (
          hit !== null &&
          (at.contains(hit) ||
            hit.contains(at) ||
            [...((at as HTMLInputElement).labels ?? [])].some((one) => one.contains(hit)))
        )
      })
    })
    if (!isSeen) return `hidden: ${name}`
    const shows = (one: Element, part?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, part)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    }
    // A link that fills its card is ringed by the card, a field by its box, a mark around what is seen of it.
    const around = at.closest('.sticker, label, .seg, .box') ?? at.querySelector('span, i')
    return shows(at) || shows(at, '::after') || (around && shows(around)) ? '' : `unmarked: ${name}`
  })

/**
 * Goes through a page with Tab and back: nothing lies over what has the focus, and it is marked (WCAG 2.4.11, 2.4.7).
 * @returns what is wrong with its stops
 */
export async function tabStopFaults(page: Page): Promise<string[]> {
  const found = new Set<string>()
  // From the page's beginning, wherever the focus was.
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    scrollTo({ top: 0, behavior: 'instant' })
  })
  for (const key of ['Tab', 'Shift+Tab']) {
    let stops = 0
    while (stops < MAX_TAB_STOPS) {
      await page.keyboard.press(key)
      const fault = await findFocusFaults(page)
      if (fault === null) break
      if (fault) found.add(`${key}: ${fault}`)
      stops++
    }
    if (stops <= MIN_TAB_STOPS) found.add(`${key}: only ${stops} stops`)
    if (stops < MAX_TAB_STOPS) continue
    // Backwards from where the page ends.
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  }
  return [...found]
}
