import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importsOf, listFiles, readSource, root } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** The features, lowest level first (CONTRIBUTING.md, «Where things live»): one imports only lower ones and its own. */
const LEVELS = [
  ['live', 'outbox', 'secrets', 'storage'],
  ['moderation', 'photos'],
  ['breeds', 'notifications', 'legal'],
  ['profiles'],
  ['auth'],
  ['likes', 'comments', 'detection', 'places', 'guide', 'riddle', 'contact'],
  ['follows', 'lost', 'opinions'],
  ['dogs', 'nearby', 'challenges', 'sightings', 'found'],
  ['reports', 'badges', 'years'],
  ['album', 'map', 'community', 'account', 'admin', 'pwa', 'seo', 'search'],
  ['share', 'opendata', 'maintenance'],
]
const levelOf = (feature: string) => LEVELS.findIndex((names) => names.includes(feature))

const SOURCES = listFiles(['src', 'db', 'scripts'], ['.ts', '.tsx', '.astro', '.mjs'])

/** What each kind may import of ours. A feature's own files and lower features' are checked below. */
const ALLOWED = {
  pages: ['pages', 'layouts', 'ui', 'lib', 'server', 'pure', 'queries', 'http', 'browser', 'component'],
  api: ['http', 'server'],
  fragments: ['server', 'lib', 'pure', 'queries', 'component', 'http'],
  layouts: ['layouts', 'integrations', 'ui', 'lib', 'server', 'pure', 'queries', 'browser', 'component'],
  ui: ['ui', 'lib'],
  lib: ['lib'],
  // The program: nothing imports it but the middleware, which hands requests its services.
  app: ['app', 'server', 'lib', 'db', 'pure', 'queries'],
  server: ['server', 'lib', 'db'],
  middleware: ['app', 'server', 'http'],
  // For the build, and what it adds to every page (render).
  integrations: ['integrations', 'layouts', 'ui', 'lib', 'server', 'pure', 'browser'],
  db: ['db'],
  scripts: ['scripts', 'db', 'lib', 'server', 'pure', 'queries'],
  pure: ['pure', 'lib'],
  queries: ['pure', 'queries', 'lib', 'db'],
  http: ['pure', 'queries', 'http', 'server', 'lib'],
  browser: ['pure', 'browser', 'lib', 'ui'],
  component: ['pure', 'browser', 'component', 'lib', 'ui'],
} satisfies Record<string, readonly string[]>
type Kind = keyof typeof ALLOWED

const BROWSER_FILE = /\.(client|store)\.ts$|\.tsx$/
function kindOf(path: string): Kind | null {
  if (path === 'src/middleware.ts') return 'middleware'
  const [top, second, third] = path.split('/')
  if (top === 'db' || top === 'scripts') return top
  if (top !== 'src') return null
  if (second === 'pages')
    return third === 'api' && path.endsWith('.ts') ? 'api' : third === 'fragments' ? 'fragments' : 'pages'
  if (path === 'src/env.d.ts') return 'app'
  if (second !== 'features' && Object.hasOwn(ALLOWED, second!)) return second as Kind
  if (second !== 'features') return null
  if (path.endsWith('.server.ts')) return 'queries'
  if (path.endsWith('.http.ts')) return 'http'
  if (BROWSER_FILE.test(path)) return 'browser'
  return path.endsWith('.astro') ? 'component' : 'pure'
}

/** Where an import leads, as a path from the root; packages as `npm:name`, Node's own as `node:name`. */
function resolveImport(from: string, full: string): string {
  const target = full.split('?')[0]!
  if (target.startsWith('#')) {
    const [, alias, rest] = /^#(\w+)\/(.*)$/.exec(target)!
    return alias === 'db' || alias === 'data' || alias === 'tests' ? `${alias}/${rest}` : `src/${alias}/${rest}`
  }
  if (target.startsWith('.')) return posix.join(posix.dirname(from), target)
  return target.startsWith('node:') || target.startsWith('astro:') ? target : `npm:${target}`
}

const featureOf = (path: string) => (path.startsWith('src/features/') ? path.split('/')[2]! : null)

/** lucia is retired upstream: what knows it is to be replaced. */
const LUCIA_FILE = 'src/features/auth/sessions/sessions.server.ts'

const isAsset = (path: string) => /\.(css|json|svg|woff2?)$/.test(path)

/** What browser files import, and what that imports. */
const browserFiles = new Set(SOURCES.filter((path) => BROWSER_FILE.test(path)))
for (const path of browserFiles)
  if (existsSync(join(root, path)) && !isAsset(path))
    for (const target of importsOf(readSource(path))) browserFiles.add(resolveImport(path, target))

function* violations(path: string): Generator<string> {
  const kind = kindOf(path)
  if (!kind) return
  const own = featureOf(path)
  for (const target of importsOf(readSource(path))) {
    const to = resolveImport(path, target)
    const violation = (why: string) => `${path} imports ${target}: ${why}`
    if (to.startsWith('npm:')) {
      if (kind === 'lib') yield violation('lib is pure: no packages')
      if (to === 'npm:lucia' && path !== LUCIA_FILE) yield violation('only auth/sessions knows lucia')
      if (path.startsWith('db/migrations/') && !to.startsWith('npm:kysely'))
        yield violation('migrations import only kysely')
      continue
    }
    if (to.startsWith('node:')) {
      if (['lib', 'pure', 'browser', 'component', 'ui'].includes(kind))
        yield violation('this file also runs in browsers: no Node modules')
      continue
    }
    if (to.startsWith('astro:')) {
      if (['lib', 'pure', 'queries', 'browser', 'db', 'scripts'].includes(kind))
        yield violation('must run in plain Node or a browser: nothing of Astro')
      continue
    }
    if (to.startsWith('data/')) {
      if (!['queries', 'pages', 'scripts', 'app', 'pure'].includes(kind) || browserFiles.has(path))
        yield violation('data never reaches the browser whole')
      continue
    }
    if (isAsset(to)) continue
    if (!existsSync(join(root, to))) {
      if (!to.startsWith('dist/')) yield violation('no such file')
      continue
    }
    const toKind = kindOf(to)
    if (toKind && !ALLOWED[kind].some((one) => one === toKind))
      yield violation(`a ${kind} file may not import a ${toKind} file`)
    if (path.startsWith('db/migrations/') && path !== 'db/migrations/index.ts' && !MIGRATION_HELPERS.has(to))
      yield violation('migrations never import app code')
    const feature = featureOf(to)
    if (!feature) continue
    if (levelOf(feature) < 0) yield violation(`feature ${feature} stands in no level of tests/guards/imports.test.ts`)
    if (own && own !== feature && levelOf(feature) >= levelOf(own))
      yield violation(`features import downwards only (${own} is not above ${feature})`)
  }
}

/** What a migration that runs on both databases asks them. */
const MIGRATION_HELPERS: ReadonlySet<string> = new Set([
  'db/dialect/append-only.ts',
  'db/dialect/column-types.ts',
  'db/dialect/dialect.ts',
  'db/dialect/lost-triggers.ts',
  'db/dialect/province-triggers.ts',
  'db/dialect/postgres/triggers.ts',
  'db/dialect/row-triggers.ts',
])

const guard = suite('imports')

guard('every import goes where CONTRIBUTING.md allows', () => {
  assert.equal(
    SOURCES.flatMap((path) => [...violations(path)]),
    [],
  )
})

guard('the guard sees imports', () => {
  const source = `import a from '#lib/text/text.ts'\nexport { b } from './b.ts'\nconst c = await import('./c.ts')\nimport './d.css'\nimport type {\n  E,\n} from 'e'`
  assert.equal(importsOf(source), ['#lib/text/text.ts', './b.ts', './c.ts', './d.css', 'e'])
})

guard('every source has a kind', () => {
  assertNone(SOURCES, (path) => kindOf(path) === null)
})

guard('every feature folder stands in a level', () => {
  const features = new Set(SOURCES.map(featureOf).filter((name) => name !== null))
  assertNone([...features], (name) => levelOf(name) < 0)
})

guard('CONTRIBUTING.md and the diagram of layers show these levels', () => {
  const listed = [...readSource('CONTRIBUTING.md').matchAll(/^\d+\. ((?:`\w+` ?)+)$/gm)].map(([, names]) => names!)
  const drawn = [...readSource('docs/architecture.md').matchAll(/\bl\d+\["([^"]+)"\]/g)].map(([, names]) => names!)
  assert.equal(
    listed.map((names) => names.match(/\w+/g)),
    LEVELS,
  )
  assert.equal(
    drawn.toReversed().map((names) => names.split(' · ')),
    LEVELS,
  )
})

guard('API pages only re-export a feature or answer 404', () => {
  for (const path of listFiles(['src/pages/api'], ['.ts']))
    assert.ok(
      readSource(path)
        .split('\n')
        .filter((l) => l.trim() && !l.startsWith('//') && !/^\s*(\/?\*)/.test(l)).length <= 6,
      `${path} holds more than a re-export`,
    )
})
