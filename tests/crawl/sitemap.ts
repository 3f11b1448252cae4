/** The addresses (path and query) that a site's sitemaps name; none where it has no sitemap. */
export async function readSitemap(origin: string, path = '/sitemap.xml'): Promise<string[]> {
  const response = await fetch(origin + path)
  if (!response.ok) return []
  const text = await response.text()
  const named = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address]) => new URL(address!.replaceAll('&amp;', '&'), origin),
  )
  if (!text.includes('<sitemapindex')) return named.map(({ pathname, search }) => pathname + search)
  const inner: string[] = []
  for (const { pathname, search } of named) inner.push(...(await readSitemap(origin, pathname + search)))
  return inner
}
