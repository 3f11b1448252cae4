import type { Page } from 'playwright'

/** What a thumb needs, CSS px (WCAG 2.5.5). */
const MIN_TARGET_PX = 44

const PRESSABLE =
  'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=option], ' +
  '[role=slider], [role=separator][tabindex], [role=checkbox], [role=radio]'

/** Waits out what moves: a dialog on its way up reaches below the screen, also in the one frame reduced motion leaves it. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(moving.map((one) => one.finished))
  })

/**
 * What on the page can be pressed and answers on less than 44 x 44 px, as «width x height tag.class “name”», and how many
 * were probed. What counts is where a tap lands: every candidate is brought into view and probed from its centre outward,
 * so that padding, pseudo-elements and labels count and whatever lies on top does not. Exempt are links in running
 * text, what is behind an open modal dialog or popover, and what only the keyboard's focus shows.
 * @param except a selector of what may be smaller; the reasons stand with the test
 */
export async function findSmallTargets(page: Page, except: string): Promise<{ small: string[]; probed: number }> {
  await waitForAnimations(page)
  return page.evaluate(
    ({ except, target, pressable }) => {
      const over = [
        ...document.querySelectorAll('dialog:modal, :popover-open:not(.toasts, .tooltip), .yarl__portal_open'),
      ].at(-1)
      const isInText = (element: Element) => {
        if (getComputedStyle(element).display !== 'inline') return false
        const around = element.parentElement?.textContent.trim().length ?? 0
        return around > element.textContent.trim().length + 3
      }
      const small: string[] = []
      let probed = 0
      for (const element of (over ?? document).querySelectorAll<HTMLElement>(pressable)) {
        if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled')) continue
        if (element.matches(`.skip, .sr, ${except}`) || isInText(element)) continue
        if (element.closest('[inert], [aria-hidden=true]')) continue
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
        const mine = new Set<Element>([element, ...((element as HTMLInputElement).labels ?? [])])
        const isMark = element.matches('.mark')
        /** Whether a tap there is another mark's, or lands on what lies over the map or beside it. */
        const isOverMap = (hit: Element | null) => !hit?.closest('.leaflet-map-pane') || hit.closest('.mark') !== null
        // Where dogs are decides how far their photos overlap, and which lie half under the map's bars (WCAG 2.5.8, essential).
        const isMine = (x: number, y: number, orOverMap = false) => {
          const top = document.elementFromPoint(x, y)
          if (orOverMap && isOverMap(top)) return true
          for (let hit = top; hit; hit = hit.parentElement) {
            if (mine.has(hit)) return true
            if (hit.matches(pressable)) return false
          }
          return false
        }
        // Words that wrap have several boxes: the largest is pressed.
        const [box] = [...element.getClientRects()].toSorted((a, b) => b.width * b.height - a.width * a.height)
        if (!box?.width) continue
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        // Beside the view, in a row that is swiped, or under a bar where the page ends: no matter of size.
        if (!isMine(x, y)) continue
        probed++
        // Half a pixel at each end may fall between two probes.
        const enough = target - 1
        /** How far a tap lands on it to both sides along an axis; no further than is enough. In large steps first: most of the time is spent here. */
        const reach = (dx: number, dy: number) => {
          let wide = 0
          for (const sign of [-1, 1]) {
            let far = 0
            for (const step of [2, 0.5])
              while (wide < enough && isMine(x + sign * dx * (far + step), y + sign * dy * (far + step), isMark)) {
                far += step
                wide += step
              }
          }
          return wide
        }
        const [width, height] = [reach(1, 0), reach(0, 1)]
        if (width >= enough && height >= enough) continue
        const name = element.ariaLabel ?? (element.innerText || element.id)
        const what = [element.tagName.toLowerCase(), ...element.classList].join('.')
        small.push(`${width} x ${height} ${what} «${name.trim().replaceAll(/\s+/g, ' ').slice(0, 30)}»`)
      }
      return { small: [...new Set(small)], probed }
    },
    { except, target: MIN_TARGET_PX, pressable: PRESSABLE },
  )
}

/** Smaller on purpose: the dots under a dog's photos repeat what a swipe and the 44 px arrows do, ten of them in a row. */
const SMALLER_BY_DESIGN = '.gallery .dots a'

/** Links of one name in a list's rows, which are as high as their line. */
const NAME_LINKS = '.comment .by a, .admin-rows .who a, .blocked a, .hidden-list a, .case-thing a'

/**
 * What a thumb misses on the page, and which fields iOS would zoom into: those whose letters are under 16 px.
 * @param least so many targets the page has at least
 */
export async function thumbFaults(page: Page, least: number): Promise<string[]> {
  const { small, probed } = await findSmallTargets(page, `${SMALLER_BY_DESIGN}, ${NAME_LINKS}`)
  const zooming = await page.evaluate(() =>
    [...document.querySelectorAll('input:not([type=radio], [type=checkbox], [type=file]), textarea, select')]
      .filter((field) => field.checkVisibility() && parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => `${field.id || field.getAttribute('name')}: ${getComputedStyle(field).fontSize}`),
  )
  return [...small, ...zooming, ...(probed < least ? [`${probed} probed`] : [])]
}

export interface Insets {
  top: number
  right: number
  bottom: number
  left: number
}

/** Gives the page a notch: Chromium's `env(safe-area-inset-*)`, CSS px. */
export async function setSafeAreas(page: Page, insets: Insets): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  // Newer than Playwright's types.
  const send = devtools.send.bind(devtools) as (method: string, params: object) => Promise<unknown>
  await send('Emulation.setSafeAreaInsetsOverride', { insets })
  await page.waitForFunction((bottom) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.paddingBottom = 'env(safe-area-inset-bottom)'
    const padding = parseFloat(getComputedStyle(probe).paddingBottom)
    probe.remove()
    return padding === bottom
  }, insets.bottom)
}

const PORTRAIT_INSETS = { top: 47, right: 0, bottom: 34, left: 0 }
const LANDSCAPE_INSETS = { top: 0, right: 47, bottom: 21, left: 47 }
const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 }
export const NOTCHED_SCREENS = {
  upright: { viewport: { width: 390, height: 844 }, insets: PORTRAIT_INSETS },
  'on its side': { viewport: { width: 844, height: 390 }, insets: LANDSCAPE_INSETS },
  'small, on its side': { viewport: { width: 667, height: 375 }, insets: { ...LANDSCAPE_INSETS, left: 0 } },
} as const
export type NotchedScreen = keyof typeof NOTCHED_SCREENS

/** What lies under the notch of the page as it stands, on each of these screens; it is then upright and has none. */
export async function notchFaults(page: Page, screens: readonly NotchedScreen[]): Promise<string[]> {
  const found: string[] = []
  for (const name of screens) {
    const { viewport, insets } = NOTCHED_SCREENS[name]
    await page.setViewportSize(viewport)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await setSafeAreas(page, insets)
    for (const fault of await findUnsafeTargets(page, insets)) found.push(`${name}: ${fault}`)
  }
  await page.setViewportSize(NOTCHED_SCREENS.upright.viewport)
  await setSafeAreas(page, NO_INSETS)
  return found
}

/**
 * What can be pressed and lies where a notch, a round corner or the home indicator is, as «sides tag.class “name”». Sideways
 * everything counts but what is swiped sideways; above and below what does not scroll.
 */
export async function findUnsafeTargets(page: Page, insets: Insets): Promise<string[]> {
  await waitForAnimations(page)
  return page.evaluate(
    ({ insets, pressable }) => {
      const over = [...document.querySelectorAll('dialog:modal, .yarl__portal_open')].at(-1)
      const isIn = (element: Element, test: (style: CSSStyleDeclaration) => boolean) => {
        for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
          if (test(getComputedStyle(at))) return true
        return false
      }
      const found: string[] = []
      let seen = 0
      for (const element of (over ?? document).querySelectorAll<HTMLElement>(pressable)) {
        if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('.skip, .sr')) continue
        if (element.closest('[inert], .swiper, .yarl__carousel, [data-strip]')) continue
        const box = element.getBoundingClientRect()
        // The lightbox's arrows reach to the edge; what is seen of them must not.
        const { paddingLeft, paddingRight } = getComputedStyle(element)
        const isArrow = element.matches('.yarl__button')
        const left = box.left + (isArrow ? parseFloat(paddingLeft) : 0)
        const right = box.right - (isArrow ? parseFloat(paddingRight) : 0)
        const { top, bottom, width } = box
        if (!width || bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) continue
        seen++
        const stays = !isIn(element, (style) => /auto|scroll/.test(style.overflowY))
        const fixed = over ? stays : isIn(element, ({ position }) => position === 'fixed')
        const sides = [
          left < insets.left - 0.5 && 'left',
          right > innerWidth - insets.right + 0.5 && 'right',
          (stays || scrollY === 0) && top < insets.top - 0.5 && 'top',
          fixed && bottom > innerHeight - insets.bottom + 0.5 && 'bottom',
        ].filter(Boolean)
        const what = [element.tagName.toLowerCase(), ...element.classList].join('.')
        if (sides.length)
          found.push(`${sides.join(' ')} ${what} «${(element.ariaLabel ?? element.innerText).trim().slice(0, 30)}»`)
      }
      return seen < 3 ? [`only ${seen} looked at`] : found
    },
    { insets, pressable: PRESSABLE },
  )
}
