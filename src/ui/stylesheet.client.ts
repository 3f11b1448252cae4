/**
 * Adds a style sheet that comes with its code and not with every page (import it with `?url`: imported as a style it
 * would be linked from every page that may load the code one day). Once it is there, or cannot be had: what stands
 * unstyled still works. On the server there is nothing to wait for.
 */
export function loadStylesheet(href: string): Promise<void> {
  if (typeof document === 'undefined') return Promise.resolve()
  return new Promise((done) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    for (const end of ['load', 'error']) link.addEventListener(end, () => done())
    document.head.append(link)
  })
}
