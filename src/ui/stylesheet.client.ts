/**
 * Loads a style sheet together with the code that needs it. Import its address with `?url`: a style import would link it from every
 * page that may load the code. Resolves when it is loaded or has failed, since the content works unstyled; on the server at once.
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
