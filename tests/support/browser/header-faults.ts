import type { Page } from 'playwright'

/** The longest greeting there is, an alias of 20 characters, and one of the longest days. */
const LONGEST_GREETING = 'Bienvenido, Maximiliana Cobacho'
const LONGEST_DAY = 'miércoles, 30 de septiembre'
const DESKTOP_MIN_PX = 769

/**
 * What is wrong with the header that greets, each fault named; nothing where the page has another one. Wider than phones it is
 * one row: the day whole, of the greeting at least eight letters of the alias, both counters.
 */
export const headerFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([greeting, day, from]) => {
      const top = document.querySelector<HTMLElement>('.top')
      const hi = top?.querySelector('.hi')
      if (!top || !hi) return []
      const [who, when] = [hi.querySelector<HTMLElement>('b')!, hi.querySelector<HTMLElement>('time')!]
      const before = [who.textContent, when.textContent]
      ;[who.textContent, when.textContent] = [greeting, day]
      const faults: string[] = []
      const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true })
      const counters = [...top.querySelectorAll('.news > :is(button, span)')].filter(isSeen)
      const shown = innerWidth < from ? 0 : 2
      if (counters.length !== shown) faults.push(`the header has ${counters.length} counters of ${shown}`)
      if (innerWidth >= from) {
        const { height } = top.getBoundingClientRect()
        if (height > 64.5) faults.push(`the header is ${height} px high`)
        for (const line of [who, when])
          if (line.getBoundingClientRect().height > 25) faults.push(`«${line.textContent}» takes more than a line`)
        if (when.scrollWidth > when.clientWidth) faults.push(`«${day}» is cut`)
        // «…» takes the place of letters.
        const range = document.createRange()
        range.setStart(who.firstChild!, 0)
        range.setEnd(who.firstChild!, 'Bienvenido, '.length + 8)
        const right = range.getBoundingClientRect().right + 14
        if (who.scrollWidth > who.clientWidth && right > who.getBoundingClientRect().right)
          faults.push(`«${greeting}» is cut after fewer than eight letters of the alias`)
      }
      ;[who.textContent, when.textContent] = before as [string, string]
      return faults
    },
    [LONGEST_GREETING, LONGEST_DAY, DESKTOP_MIN_PX] as const,
  )

/** The counters of a page come with the page, the likes and those of a prerendered page with its script. */
export const waitForCounters = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (from) =>
      innerWidth < from ||
      !document.querySelector('.top .hi') ||
      [...document.querySelectorAll('.top .news > :is(button, span)')].filter((one) => one.checkVisibility()).length ===
        2,
    DESKTOP_MIN_PX,
  )

/**
 * What the counters of a page say wrongly, where its header greets.
 * @param expected their texts, one pattern each
 */
export async function counterFaults(page: Page, expected: readonly RegExp[]): Promise<string[]> {
  if ((await page.locator('.top .hi').count()) === 0) return []
  const parts = await page.locator('.top .news:visible > :is(button, span):visible').allInnerTexts()
  const texts = parts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const isRight = texts.length === expected.length && expected.every((pattern, i) => pattern.test(texts[i]!))
  return isRight ? [] : [`the counters say «${texts.join(' · ')}»`]
}

/** How far the frame of the page's content is from the middle of its room beside the sidebar; texts stand at its left edge. */
export const centringFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const side = document.querySelector('.app > .side')
    const from = side?.checkVisibility() ? side.getBoundingClientRect().right : 0
    const main = document.querySelector('main')!
    const box = main.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(main)
    const left = box.left + parseFloat(paddingLeft) - from
    // Without the room that is kept for a scrollbar.
    const right = document.body.getBoundingClientRect().right - box.right + parseFloat(paddingRight)
    return Math.abs(left - right) > 4 ? [`${Math.round(left)} px left of the content, ${Math.round(right)} right`] : []
  })
