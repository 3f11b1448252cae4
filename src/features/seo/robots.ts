import { paths } from '#lib/paths.ts'

/** What crawlers should not fetch: the API, personal pages, forms with an effect. Each is a prefix. */
const DISALLOWED_PATHS = [
  paths.admin,
  '/api/',
  '/baja',
  paths.share,
  '/denunciar',
  '/fragments/',
  paths.login,
  paths.notifications,
  paths.profile,
]

/** robots.txt (RFC 9309). The sitemap needs an absolute address, so it is listed only with SITE_URL. */
export function robotsText(siteUrl: string | undefined): string {
  const rules = ['User-agent: *', ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /api/docs']
  const sitemap = siteUrl ? ['', `Sitemap: ${new URL(paths.sitemap, siteUrl).href}`] : []
  return `${[...rules, ...sitemap].join('\n')}\n`
}
