import browserslist from 'browserslist'
import { browserslistToTargets, transform } from 'lightningcss'
import { cssTargets } from '../../../src/integrations/browsers.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, call, serverSuite } from '#tests/support/suites.ts'

/** What Safari knows with its prefix alone, in whatever version. */
const SAFARI = ['user-select']

const styles = serverSuite('api/pages/built-styles')

/** How often each prefixed property is declared. */
function prefixed(css: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, name] of css.matchAll(/[{;\s](-(?:webkit|moz)-[a-z-]+)\s*:/g))
    found.set(name!, (found.get(name!) ?? 0) + 1)
  return found
}

/** The declarations that the browsers of package.json need and `css` lacks. */
function missing(css: string, file: string): string[] {
  const found: string[] = []
  for (const property of SAFARI) {
    const plain = [...css.matchAll(new RegExp(`[{;\\s]${property}\\s*:`, 'g'))].length
    const own = prefixed(css).get(`-webkit-${property}`) ?? 0
    if (own < plain) found.push(`${file}: -webkit-${property} ${own} of ${plain} times`)
  }
  const targets = browserslistToTargets(browserslist())
  // What is there goes first: Lightning CSS adds some a second time.
  const plain = css.replace(/-(webkit|moz)-[a-z-]+\s*:[^;{}]*(;|(?=\}))/g, '')
  const { code } = transform({ filename: file, code: Buffer.from(plain), targets, errorRecovery: true })
  const before = prefixed(css)
  for (const [name, count] of prefixed(new TextDecoder().decode(code)))
    if ((before.get(name) ?? 0) < count) found.push(`${file}: ${name} ${before.get(name) ?? 0} of ${count} times`)
  return found
}

styles('the check detects missing prefixes', () => {
  assert.equal(missing('a{user-select:none}', 'x.css'), [
    'x.css: -webkit-user-select 0 of 1 times',
    'x.css: -webkit-user-select 0 of 1 times',
  ])
  assert.equal(missing('a{-webkit-user-select:none;user-select:none}', 'x.css'), [])
})

styles('every stylesheet has the prefixes that the browsers of package.json need', () => {
  const files = listFiles(['dist/client'], ['.css'])
  assert.ok(files.length > 30)
  assert.equal(
    files.flatMap((file) => missing(readSource(file), file)),
    [],
  )
})

styles('styles inside pages have them as well', async ({ server }) => {
  for (const path of ['/', '/login', '/razas', '/razas/beagle', '/razas/imprimir', '/perros?view=map', '/buscar?q=a']) {
    const html: string = (await call(server, path)).body
    for (const [, css] of html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)) assert.equal(missing(css!, path), [])
  }
})

styles('the build targets the oldest version of each engine', () => {
  assert.equal(
    cssTargets(['safari 27', 'safari 26.10', 'safari 26.9', 'ios_saf 26.0-26.2', 'and_chr 140', 'chrome 139']),
    ['safari26.9', 'ios26.0', 'chrome139'],
  )
  assert.throws(() => cssTargets(['ie 11']), /ie 11/)
  const engines = cssTargets().map((target) => target.replace(/[\d.]+$/, ''))
  for (const engine of ['chrome', 'edge', 'firefox', 'safari', 'ios']) assert.ok(engines.includes(engine), engine)
})
