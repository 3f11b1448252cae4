import type { Page } from 'playwright'

/** What a thumb needs, CSS px (WCAG 2.5.5). */
export const TARGET = 44

/**
 * What on the page can be pressed and answers on less than 44 x 44 px, as «width x height tag.class “name”». What counts is
 * where a tap lands: every candidate is brought into view and probed from its centre outward, so that padding,
 * pseudo-elements and labels count and whatever lies on top does not. Links in running text are exempt, as are
 * things behind an open modal dialog. A tenth of a pixel is let pass.
 * @param except a selector of what may be smaller, reasons beside the test
 */
export const smallTargets = (page: Page, except = ':not(*)'): Promise<string[]> =>
  page.evaluate(
    ({ except, target }) => {
      const WHAT =
        'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=option], [role=slider], [role=checkbox], [role=radio]'
      const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
      const isInText = (element: Element) => {
        if (getComputedStyle(element).display !== 'inline') return false
        const around = element.parentElement?.textContent?.trim().length ?? 0
        return around > (element.textContent?.trim().length ?? 0) + 3
      }
      const small: string[] = []
      for (const element of (modal ?? document).querySelectorAll<HTMLElement>(WHAT)) {
        if (
          !element.checkVisibility({ visibilityProperty: true }) ||
          element.matches(':disabled') ||
          element.matches(except)
        )
          continue
        if (element.closest('[inert], [aria-hidden=true]') || isInText(element)) continue
        if (element.classList.contains('skip') || element.classList.contains('sr')) continue
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
        const mine = new Set<Element>([element, ...((element as HTMLInputElement).labels ?? [])])
        const isMine = (x: number, y: number) => {
          for (let hit = document.elementFromPoint(x, y); hit; hit = hit.parentElement) {
            if (mine.has(hit)) return true
            if (hit.matches(WHAT)) return false
          }
          return false
        }
        // Words that wrap have several boxes: the widest is pressed.
        const box = [...element.getClientRects()].toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
        if (!box || box.width === 0) continue
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        if (!isMine(x, y)) {
          const over = document.elementFromPoint(x, y)
          // Under a bar or beside the view it cannot be pressed here at all; that is no matter of size.
          if (!over || !element.parentElement?.contains(over)) continue
        }
        const reach = (dx: number, dy: number) => {
          let far = 0
          while (far < 60 && isMine(x + dx * (far + 0.5), y + dy * (far + 0.5))) far += 0.5
          return far
        }
        const width = reach(-1, 0) + reach(1, 0)
        const height = reach(0, -1) + reach(0, 1)
        if (width >= target - 1 && height >= target - 1) continue
        const name = element.ariaLabel ?? (element.innerText || element.getAttribute('name') || '')
        const by = [element.tagName.toLowerCase(), ...element.classList].join('.')
        small.push(`${width} x ${height} ${by} «${name.trim().replaceAll(/\s+/g, ' ').slice(0, 30)}»`)
      }
      return [...new Set(small)]
    },
    { except, target: TARGET },
  )
