import { execFileSync } from 'node:child_process'
import { readSource, root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const CODE = /\.(?:tsx?|mjs|astro|css|json|html)$/
const sources = tracked.filter((path) => CODE.test(path) && !/^(?:docs|data|public)\/|^package-lock/.test(path))
/** A superseded decision names what there was. */
const documents = tracked.filter(
  (path) =>
    path.endsWith('.md') && !/^- Status: superseded/m.test(path.startsWith('docs/adr/') ? readSource(path) : ''),
)

/** Every path of the project, and every end of one: `src/lib/paths.ts`, `lib/paths.ts`, `paths.ts`, folders too. */
const paths = new Set<string>()
for (const path of tracked) {
  const parts = path.split('/')
  for (let end = parts.length; end > 0; end--)
    for (let start = 0; start < end; start++) {
      const part = parts.slice(start, end).join('/')
      paths.add(part)
      // Tests and scripts are named without their ending: `unit/likes/like-counts`.
      if (end === parts.length) paths.add(part.replace(/(?:\.test)?\.\w+$/, ''))
    }
}
const identifiers = new Set(sources.flatMap((path) => readSource(path).match(/[A-Za-z_$][\w$]*/g) ?? []))

/** Addresses of the API, with `*` for every parameter. */
const apiRoutes = tracked
  .filter((path) => path.startsWith('src/pages/api/') && path.endsWith('.ts'))
  .map((path) =>
    path
      .slice('src/pages'.length)
      .replace(/(?:\/index)?\.ts$/, '')
      .replace(/\[[^\]]+\]/g, '*'),
  )

const FILE = /(?<![\w/.:[\]*{}-])[\w./[\]-]*[\w\]-]\.(?:tsx?|mjs|astro)\b/g
const PATH = /^(?:src|tests|db|scripts|deploy|docs|guards|unit|api|browser|features|server|app)\/[\w./[\]-]*[\w\]]$/
/** Placeholders, files of the build, and files that a decision says are gone. */
const NOT_FILES =
  /^(?:[xX]\.[\w.]+|2026-12-01-0930-title\.ts|(?:dist\/.*|main|map-worker|decoder|entry)\.mjs|scripts\/serve\.ts)$/

/** Whether it is a file of the project, or the ending of some: `.server.ts`. */
const isFile = (file: string) =>
  NOT_FILES.test(file) ||
  paths.has(file.replace(/^\.\.?\//, '')) ||
  (/^\.\w/.test(file) && tracked.some((path) => path.endsWith(file)))

/** Files, functions and addresses that a piece of code in a document names and that do not exist. */
export function missingIn(code: string): string[] {
  const files = (code.match(FILE) ?? []).filter((file) => !isFile(file))
  const path = PATH.test(code) && !NOT_FILES.test(code) && !paths.has(code) && files.length === 0 ? [code] : []
  const names = (code.match(/\b[a-z]+[A-Z]\w*\b/g) ?? []).filter((name) => name.length > 3 && !identifiers.has(name))
  const addresses = (code.match(/(?<![\w.])\/api\/[\w{}[\]./…-]+/g) ?? []).filter((address) => !isRoute(address))
  return [...new Set([...files, ...path, ...names, ...addresses])]
}

function isRoute(address: string): boolean {
  if (/…|\/$/.test(address)) return true
  const parts = address.replace(/\.$/, '').split('/')
  return ['/api/events', ...apiRoutes].some((route) => {
    const known = route.split('/')
    return known.length === parts.length && known.every((part, at) => part === '*' || part === parts[at])
  })
}

const comments = (text: string) =>
  text.split('\n').map((line) => /^\s*(?:\/\/|\/?\*\*?)(.*)$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1] ?? '')

const guard = suite('references')

guard('what a document names in code exists', () => {
  const missing = documents.flatMap((path) =>
    readSource(path)
      .split('\n')
      .flatMap((line, at) =>
        [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code]) =>
          missingIn(code!).map((name) => `${path}:${at + 1}: ${name}`),
        ),
      ),
  )
  assert.equal(missing, [], 'no such file, function or address: name what there is today')
})

guard('every file that a comment names exists', () => {
  const missing = sources
    // Migrations are never edited.
    .filter((path) => /\.(?:tsx?|mjs|astro|css)$/.test(path) && !path.startsWith('db/migrations/'))
    .flatMap((path) =>
      comments(readSource(path)).flatMap((line, at) =>
        (line.match(FILE) ?? []).filter((file) => !isFile(file)).map((file) => `${path}:${at + 1}: ${file}`),
      ),
    )
  assert.equal(missing, [], 'no such file: name the one there is today')
})

guard('the guard sees names', () => {
  assert.equal(missingIn('src/lib/paths.ts and lib/nothing.ts'), ['lib/nothing.ts'])
  assert.equal(missingIn('unit/nothing/here'), ['unit/nothing/here'])
  assert.equal(missingIn('guards/imports'), [])
  assert.equal(missingIn(['missing', 'InAction(x), readSource'].join('')), [['missing', 'InAction'].join('')])
  assert.equal(missingIn('GET /api/dogs/{id}/likes'), [])
  assert.equal(missingIn('PUT /api/dogs/{id}/loves'), ['/api/dogs/{id}/loves'])
})
