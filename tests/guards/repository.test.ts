import { execFileSync } from 'node:child_process'
import { readSource, root } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

const guard = suite('repository')

guard('the lockfile names no registry', () => {
  assert.not.match(readSource('package-lock.json'), /"resolved"|registry\./, 'run npm run lock')
})

guard('the lockfile matches package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(readSource('package.json'))
  const locked = JSON.parse(readSource('package-lock.json')).packages['']
  assert.equal({ ...locked.dependencies }, dependencies, 'run npm run lock')
  assert.equal({ ...locked.devDependencies }, devDependencies, 'run npm run lock')
})

guard('what is made at run time is not committed', () => {
  assertNone(tracked, (path) => /^(node_modules|dist|var|\.astro|\.cache)\/|\.env$/.test(path))
})

guard('.env.example lists every variable that is read, and no other', () => {
  const [, schema = ''] = /const envSchema = z\.object\(\{([\s\S]*?)\n\}\)/.exec(
    readSource('src/server/env-schema.ts'),
  )!
  const direct = [...schema.matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map((m) => m[1]!)
  const providers = [...schema.matchAll(/provider\('(\w+)'\)/g)].flatMap(([, name]) =>
    ['CLIENT_ID', 'CLIENT_SECRET', 'ISSUER'].map((part) => `${name}_${part}`),
  )
  const listed = [...readSource('.env.example').matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=/gm)].map((m) => m[1]!)
  assert.equal(listed.toSorted(), [...direct, ...providers].toSorted())
})

guard('no source file holds an address of this or that machine', () => {
  const faults = tracked.filter(
    (path) => /\.(ts|tsx|astro|mjs|md|css|json)$/.test(path) && /\/(?:home|Users|root)\/\w+\//.test(readSource(path)),
  )
  assert.equal(faults, [])
})
