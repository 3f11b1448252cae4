/** Links a style sheet of cards from the head: React empties what holds the one of a card that it hydrates. */
export function linkStyles(href: string): void {
  if (document.head.querySelector(`link[href="${href}"]`)) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  document.head.append(link)
}
