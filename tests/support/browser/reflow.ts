import type { Page } from 'playwright'

/** How far the page is wider than the window, CSS px. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))

/** Whether the page is no wider than its room; `clientWidth` counts the scrollbar's gutter in. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const root = document.documentElement
    return root.scrollWidth <= Math.ceil(root.getBoundingClientRect().width)
  })

/**
 * How much wider than the window the page is with its text at 200 % (WCAG 1.4.4, 1.4.10), at each of these widths, CSS px. Lengths
 * in `rem` grow as with a reader's own font size; media queries in `px` do not.
 */
export async function largeTextFaults(page: Page, widths: readonly number[]): Promise<string[]> {
  const viewport = page.viewportSize()!
  const setSize = (size: string) => page.evaluate((to) => void (document.documentElement.style.fontSize = to), size)
  const faults: string[] = []
  await setSize('200%')
  for (const width of widths) {
    await page.setViewportSize({ width, height: viewport.height })
    const wide = await horizontalOverflow(page)
    if (wide > 0) faults.push(`${wide} px wider than ${width}`)
  }
  await setSize('')
  await page.setViewportSize(viewport)
  return faults
}

/** WCAG 1.4.12: what a reader may set and nothing may be lost by. */
const TEXT_SPACING_CSS = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`

/**
 * Spaces the page's text as WCAG 1.4.12 has it, looks, and takes it back: how much wider than the window the page is then,
 * and whose words are cut off that
 * were not before, and stand nowhere else.
 */
export const textSpacingFaults = (page: Page): Promise<{ wide: number; cut: string[] }> =>
  page.evaluate((spacing) => {
    const cutOff = () =>
      [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '')
        if (!hasWords || !element.checkVisibility({ visibilityProperty: true }) || element.closest('.sr')) return false
        return (
          (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
        )
      })
    const before = new Set(cutOff())
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(spacing)
    document.adoptedStyleSheets.push(sheet)
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = Math.max(0, scrollWidth - clientWidth)
    const cutNow = cutOff()
    // A list that is closed shows none of its options.
    const isWholeElsewhere = (text: string) =>
      [...document.querySelectorAll<HTMLElement>('main :not(option)')].some(
        (other) => other.innerText?.trim() === text && !cutNow.some((one) => one.contains(other)),
      )
    const cut = cutNow
      // The greeting may end in «…» (header-faults.ts): it repeats the alias.
      .filter((element) => !before.has(element) && !element.matches('.top .hi b'))
      .filter((element) => !isWholeElsewhere(element.textContent.trim()))
      .map((element) => `${element.tagName.toLowerCase()}.${element.className} «${element.textContent.trim()}»`)
    document.adoptedStyleSheets.pop()
    return { wide, cut }
  }, TEXT_SPACING_CSS)
