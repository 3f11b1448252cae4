import type { Page } from 'playwright'

/** What counts as no motion, ms: it lasts less than a frame. */
const MAX_INSTANT_MS = 10

/**
 * Everything on the page, in its shadow trees too, that runs an animation longer than 10 ms or would start one, as
 * «tag.class: what».
 */
export const findAnimations = (page: Page): Promise<string[]> =>
  page.evaluate((none) => {
    const name = (element: Element) => [element.tagName.toLowerCase(), ...element.classList].join('.')
    const found = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > none)
      .map(({ effect }) => `${name((effect as KeyframeEffect).target!)}: runs`)
    const longest = (times: string) => Math.max(...times.split(',').map((time) => parseFloat(time) * 1000))
    const seen = new Set<string>()
    const look = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll(':not(svg *)')) {
        if (element.shadowRoot) look(element.shadowRoot)
        // One of each kind: a page holds hundreds of the same.
        if (seen.has(name(element))) continue
        seen.add(name(element))
        for (const part of [null, '::before', '::after']) {
          const style = getComputedStyle(element, part)
          if (longest(style.transitionDuration) > none) found.push(`${name(element)}${part ?? ''}: transition`)
          const plays = style.animationName !== 'none' && longest(style.animationDuration) > none
          if (plays) found.push(`${name(element)}${part ?? ''}: ${style.animationName}`)
        }
        if (getComputedStyle(element).scrollBehavior === 'smooth') found.push(`${name(element)}: scrolls smoothly`)
      }
    }
    look(document)
    return [...new Set(found)]
  }, MAX_INSTANT_MS)

/** For so many frames a thing stands still before it counts as at rest: half a second of a screen. */
const REST_FRAMES = 30

/**
 * Through how many places an element went while `act` was at work and until it came to rest: 1 where it stood still, 2 or 3
 * where it jumped, more where it moved.
 */
export async function countPositions(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate((selector) => {
    const seen = new Set<string>()
    const watch = Object.assign(window, { seen, isWatching: true, still: 0 })
    let last = ''
    const look = () => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      const place = box ? `${Math.round(box.left)} ${Math.round(box.top)}` : ''
      if (place) seen.add(place)
      watch.still = place === last ? watch.still + 1 : 0
      last = place
      if (watch.isWatching) requestAnimationFrame(look)
    }
    look()
  }, selector)
  await act()
  await page.evaluate(() => Object.assign(window, { still: 0 }))
  await page.waitForFunction((frames) => (window as unknown as { still: number }).still >= frames, REST_FRAMES)
  return page.evaluate(() => {
    Object.assign(window, { isWatching: false })
    return (window as unknown as { seen: Set<string> }).seen.size
  })
}
