import type { Page } from 'playwright'

/**
 * What is wrong with a page's words at its width, each fault named: a word that is broken though it would fit, a text cut
 * after fewer than eight letters, words of one row that lie over one another, and a page wider than the window.
 */
export const wordFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Words up to this long fit into the narrowest card; longer ones may have to break. */
    const WORD = 11
    const LETTERS = 8
    const faults = new Set<string>()
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('.sr, :popover-open, .trap')
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX)
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}${[...element.classList].map((one) => `.${one}`).join('')}`
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) faults.add(`${wide} px too wide`)

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const parent = node.parentElement!
      if (!/\p{L}{2}/u.test(node.data) || parent.closest('script, style, noscript, pre, code') || !isSeen(parent))
        continue
      for (const { 0: word, index } of node.data.matchAll(/[^\s/–-]+/gu)) {
        if (word.length > WORD || !/^\p{L}{2,}[.,;:!?]?$/u.test(word)) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set(
          [...range.getClientRects()].filter((rect) => rect.width > 0).map(({ top }) => Math.round(top)),
        )
        if (lines.size > 1) faults.add(`${name(parent)} breaks «${word}»`)
      }
      const { textOverflow } = getComputedStyle(parent)
      if (textOverflow !== 'ellipsis' || !parent.closest('main') || parent.scrollWidth <= parent.clientWidth) continue
      const box = parent.getBoundingClientRect()
      const style = getComputedStyle(parent)
      // «…» takes the place of letters: about as wide as its font is high.
      const end = box.right - parseFloat(style.paddingRight) - 0.85 * parseFloat(style.fontSize)
      let shown = 0
      for (let i = 0; i < node.data.length; i++) {
        range.setStart(node, i)
        range.setEnd(node, i + 1)
        if (range.getBoundingClientRect().right <= end + 0.5) shown++
      }
      if (shown < LETTERS) faults.add(`${name(parent)} shows ${shown} letters of «${node.data.trim()}»`)
    }

    const rows =
      '.top, .top .news, .dog-card h3, .dog-card .meta, .filters, .stats, .tabs, .tabbar, .tools, .home-tabs, .head, .mine'
    for (const row of document.querySelectorAll(rows)) {
      const parts = [...row.children].filter((part) => {
        const { position, display } = getComputedStyle(part)
        return (
          isSeen(part) && position !== 'absolute' && display !== 'contents' && part.getBoundingClientRect().width > 0
        )
      })
      for (const [i, one] of parts.entries()) {
        const a = one.getBoundingClientRect()
        if (!scrolls(row) && (a.left < -1 || a.right > innerWidth + 1))
          faults.add(`${name(one)} stands outside the window`)
        for (const other of parts.slice(i + 1)) {
          const b = other.getBoundingClientRect()
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
          if (across > 1 && down > 1) faults.add(`${name(row)}: ${name(one)} and ${name(other)} overlap`)
        }
      }
    }
    return [...faults]
  })
