// «Volver» goes back in history where the page before is the one that it leads to, so that it shows as it was left, at its
// scroll position. Otherwise, and without the Navigation API, it is a plain link.

/** The page of an address without its filters; the list has two addresses. */
const pageOf = (url: string): string => new URL(url).pathname.replace(/^\/perros$/, '/')

const link = document.querySelector<HTMLAnchorElement>('[data-back]')
link?.addEventListener('click', (event) => {
  const index = window.navigation?.currentEntry?.index ?? 0
  // Over the entries of this page itself (ui/layers.client.ts).
  const past = window.navigation?.entries().findLast((entry) => entry.index < index && entry.url !== location.href)
  if (event.ctrlKey || event.metaKey || event.shiftKey || !past?.url || pageOf(past.url) !== pageOf(link.href)) return
  event.preventDefault()
  history.go(past.index - index)
})
