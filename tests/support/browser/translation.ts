/**
 * What Chrome's translation does to a page: each text is detached, two `<font>` stand in its place with other words (here its capitals),
 * and so for what comes later. What is written into a detached text is never shown.
 */
export function translatePage(): void {
  const untranslated = 'script, style, svg, option, textarea, font, noscript, [translate=no]'
  const translate = (root: Node) => {
    if (root instanceof Text) {
      if (!root.data.trim() || root.parentElement?.closest(untranslated) !== null) return
      const outer = document.createElement('font')
      outer.appendChild(document.createElement('font')).textContent = root.data.toUpperCase()
      root.replaceWith(outer)
    } else root.childNodes.forEach(translate)
  }
  const start = () => {
    translate(document.body)
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [...addedNodes, ...(target instanceof Text ? [target] : [])]) translate(node)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
}
