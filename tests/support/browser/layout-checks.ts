// Checks of layout that run inside a page, in whatever browser: each stands by itself, and takes nothing from this file.

/** A scroller that overflows by less scrolls nothing into view: its scrollbar is a mistake, CSS px. */
export const MIN_SCROLL_PX = 12

/** A word that is broken leaves no line fewer letters of it. */
export const MIN_LETTERS_PER_LINE = 3

/**
 * Scrollers that overflow by a little, as `least` has it, with how much.
 * @param least CSS px
 */
export function findSlightOverflow(least: number): string[] {
  const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
  return [...document.querySelectorAll<HTMLElement>('body, body *')].flatMap((one) => {
    const { overflowX, overflowY } = getComputedStyle(one)
    if ((!scrolls(overflowX) && !scrolls(overflowY)) || !one.checkVisibility() || one.clientWidth === 0) return []
    const over = [
      ['sideways', scrolls(overflowX) ? one.scrollWidth - one.clientWidth : 0] as const,
      ['down', scrolls(overflowY) ? one.scrollHeight - one.clientHeight : 0] as const,
    ]
    return over
      .filter(([, by]) => by > 1 && by < least)
      .map(([way, by]) => `${one.tagName.toLowerCase()}.${one.className} scrolls ${way} by ${by} px`)
  })
}

/**
 * Boxes that WebKit leaves without height: a flex item whose basis is a percentage of an out-of-flow column as high as its
 * content. (`flex: 1` says 0 %; `flex: 1 1 auto` fills it as well.) Only Chromium tells what was computed.
 */
export function findWebKitCollapses(): string[] {
  const computed = (one: Element, property: string) => String(one.computedStyleMap().get(property))
  const isAuto = (one: Element) => /^(auto|fit-content|min-content|max-content)$/.test(computed(one, 'height'))
  /** Its height comes from its content alone, since that of what stands around it does. */
  const isIndefinite = (one: Element | null): boolean => {
    if (!one || one === document.body) return false
    if (!isAuto(one)) return false
    const { position } = getComputedStyle(one)
    if (position === 'fixed' || position === 'absolute')
      // Between two edges it is as high as these leave it, unless automatic margins shrink it to its content.
      return one.tagName === 'DIALOG' || computed(one, 'top') === 'auto' || computed(one, 'bottom') === 'auto'
    return isIndefinite(one.parentElement)
  }
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((one) => {
      const { parentElement: column } = one
      if (!column || !one.checkVisibility() || !/^0(%|px)$/.test(computed(one, 'flex-basis'))) return false
      const { display, flexDirection } = getComputedStyle(column)
      return display.endsWith('flex') && flexDirection.startsWith('column') && isIndefinite(column)
    })
    .map((one) => `${one.tagName.toLowerCase()}.${one.className} has a basis of 0 % in a column as high as its content`)
}

/** Children of the header that stand on another row than its first, named by what they say. */
export function findWrappedHeaderParts(): string[] {
  const parts = [...document.querySelectorAll<HTMLElement>('.top > *')].filter((part) => {
    const { width, height } = part.getBoundingClientRect()
    return getComputedStyle(part).position !== 'absolute' && width > 0 && height > 0
  })
  const middle = (part: HTMLElement) => part.getBoundingClientRect().top + part.getBoundingClientRect().height / 2
  return parts
    .filter((part) => Math.abs(middle(part) - middle(parts[0]!)) > 8)
    .map((part) => `«${part.getAttribute('aria-label') ?? part.textContent.trim()}» is on the header's second row`)
}

/** Words of the page of which a line has fewer letters than `least`. */
export function findBrokenWords(least: number): string[] {
  const found = new Set<string>()
  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const parent = node.parentElement!
    if (parent.closest('script, style, noscript, pre, code, .sr, .trap')) continue
    if (!parent.checkVisibility({ visibilityProperty: true })) continue
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\u00AD]{4,}/gu)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (range.getClientRects().length < 2) continue
      // Letters by line; what is tilted goes down a little at each.
      const lines: number[] = []
      let last = -Infinity
      for (let i = index; i < index + word.length; i++) {
        if (node.data[i] === '\u00AD') continue
        range.setStart(node, i)
        range.setEnd(node, i + 1)
        const box = [...range.getClientRects()].find(({ width }) => width > 0)
        if (!box) continue
        if (box.top - last > box.height / 2) lines.push(0)
        lines[lines.length - 1]! += 1
        last = box.top
      }
      if (lines.length > 1 && Math.min(...lines) < least)
        found.add(`${parent.className || parent.tagName} breaks «${word.replaceAll('\u00AD', '')}» near its end`)
    }
  }
  return [...found]
}
