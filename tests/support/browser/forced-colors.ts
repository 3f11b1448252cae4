import type { Page } from 'playwright'

/** The words of what stands on the system's own «chosen», and how much of it cannot be read there. */
export const findChosen = (page: Page): Promise<{ on: string[]; unread: string[] }> =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colour = (name: string) => {
      probe.style.color = name
      return getComputedStyle(probe).color
    }
    const [highlight, text] = [colour('Highlight'), colour('HighlightText')]
    probe.remove()
    const all = [...document.querySelectorAll<HTMLElement>('.pill, .seg > *, .tabs > *, .side nav a')]
    const on = all.filter((one) => getComputedStyle(one).backgroundColor === highlight)
    const words = (one: HTMLElement) => {
      const copy = one.cloneNode(true) as HTMLElement
      for (const icon of copy.querySelectorAll('[aria-hidden]')) icon.remove()
      const text = one.ariaLabel ?? one.querySelector('select')?.selectedOptions[0]?.text ?? copy.textContent
      return text.replaceAll(/\s+/g, ' ').trim()
    }
    const parts = on.flatMap((one) => [one, ...one.querySelectorAll<HTMLElement>('.num')])
    return {
      on: on.map(words),
      unread: parts.filter((one) => getComputedStyle(one).color !== text).map(words),
    }
  })

/**
 * What cannot be read where the system takes all colours but its own, and what is chosen if it is not `expected`. The page has
 * its own colours again afterwards.
 * @param expected words of what is chosen, a number as «n»; undefined where it does not matter
 */
export async function forcedColourFaults(page: Page, expected?: readonly string[]): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const { on, unread } = await findChosen(page)
  await page.emulateMedia({ forcedColors: 'none' })
  const chosen = on.map((words) => words.replace(/\d+$/, 'n')).join(', ')
  return [
    ...unread.map((words) => `«${words}» cannot be read`),
    ...(expected && chosen !== expected.join(', ') ? [`chosen is ${chosen}`] : []),
  ]
}
