import browserslist from 'browserslist'

/** The engines of build tools by Browserslist's names; other browsers run one of these. */
const ENGINES: Record<string, string> = {
  chrome: 'chrome',
  and_chr: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  and_ff: 'firefox',
  safari: 'safari',
  ios_saf: 'ios',
}

/**
 * The oldest version of each engine in package.json's `browserslist`, in the form of Vite's `build.cssTarget` (`safari26.0`): the build
 * adds the prefixes that these need.
 * @throws where the list names a browser that is not in `ENGINES`
 */
export function cssTargets(browsers: readonly string[] = browserslist(undefined, { path: process.cwd() })): string[] {
  const oldest = new Map<string, string>()
  for (const each of browsers) {
    const [name = '', versions = ''] = each.split(' ')
    const engine = ENGINES[name]
    if (!engine) throw new Error(`browserslist names ${each}, which integrations/browsers.ts does not know`)
    // «18.5-18.7» is a range of versions without differences.
    const [version = ''] = versions.split('-')
    const known = oldest.get(engine)
    if (!known || version.localeCompare(known, 'en', { numeric: true }) < 0) oldest.set(engine, version)
  }
  return [...oldest].map(([engine, version]) => engine + version)
}
