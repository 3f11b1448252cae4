import { paths } from '#lib/paths.ts'

/** What is nobody's find: calls, pages of one person alone, forms that act. Each covers all that begins like it. */
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

/** robots.txt (RFC 9309). The sitemap is named by a whole address, so only where the site has one. */
export function robotsText(siteUrl: string | undefined): string {
  const rules = ['User-agent: *', ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /api/docs']
  const sitemap = siteUrl ? ['', `Sitemap: ${new URL(paths.sitemap, siteUrl).href}`] : []
  return `${[...rules, ...sitemap].join('\n')}\n`
}
