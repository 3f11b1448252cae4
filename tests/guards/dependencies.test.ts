import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CRITICAL_CSS } from '#layouts/critical-css.ts'
import { importsOf, listFiles, readSource } from '#tests/support/sources.ts'

// docs/adr/0134-dependencies-as-they-are.md: dependencies are used by what they publish; what is not documented
// and used all the same is pinned, and fails here when the dependency changes under it.

const dependencies = suite('dependencies')
const manifest = JSON.parse(readSource('package.json')).dependencies as Record<string, string>
const sources = listFiles(['src'], ['.ts', '.tsx', '.astro']).map((path) => ({ path, text: readSource(path) }))

/** Changes code of a dependency while it is built. */
const PATCH = 'src/integrations/render/render.ts'
/** Uses what Astro exports for the code that its compiler writes. */
const INSIDE = ['src/integrations/render/island-directives.client.ts', 'src/integrations/render/islands.client.ts']
const ASTRO = 'node_modules/astro/dist/runtime/server'
const sha256 = (path: string) => createHash('sha256').update(readSource(path)).digest('hex')

dependencies('no module reaches into what a dependency keeps to itself', () => {
  // Files of packages by their place in them; what Astro exports for the code that its compiler writes.
  const inner =
    /^(?:astro\/(?:compiler-runtime|runtime|dist)|@lucide\/)|^(?:@[\w-]+\/)?[\w.-]+\/(?:dist|src|lib)\/.*\.m?[jt]s$/
  const found = sources
    .filter(({ path }) => !INSIDE.includes(path))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => inner.test(name))
        .map((name) => `${path}: ${name}`),
    )
  assert.equal(found, [])
})

dependencies("nothing of the map uses Leaflet's underscored members", () => {
  const found = sources
    .filter(({ path }) => path.startsWith('src/features/map/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:\.|\{ ?)_[a-z]\w+(?!\()\b/g)].map(([name]) => `${path}: ${name}`),
    )
    .filter((line) => !line.endsWith('._default'))
  assert.equal(found, [])
})

dependencies('code of dependencies is changed in one place, and pinned', () => {
  const patches = sources
    .filter(
      ({ path, text }) =>
        path.startsWith('src/integrations/') &&
        /^\s+(?:async )?(?:transform\(|resolveId: \(id, importer\))/m.test(text),
    )
    .map(({ path }) => path)
  assert.equal(patches, [PATCH])
  for (const name of ['astro', '@astrojs/react']) {
    assert.match(manifest[name]!, /^\d+\.\d+\.\d+$/, `${name} is pinned`)
    assert.is(JSON.parse(readSource(`node_modules/${name}/package.json`)).version, manifest[name])
  }
})

dependencies("Astro's style of islands is what the pages' first style says", () => {
  assert.is(
    sha256(`${ASTRO}/scripts.js`),
    'd5384f0e9de8470222dec02192250e5f256bb54a5ba45f3ea9508fa6b3a848b4',
    'Astro writes the scripts and the style of islands otherwise: look at render.ts',
  )
  const style = /"(astro-island[^"]+)"/.exec(readSource(`${ASTRO}/astro-island-styles.js`))?.[1]
  assert.ok(style && CRITICAL_CSS.endsWith(style), `${style} is not in layouts/critical-css.ts`)
})

dependencies('islands.ts writes what the client of @astrojs/react reads', () => {
  assert.is(
    sha256('node_modules/@astrojs/react/dist/client.js'),
    'a6723c674206ab2aafea5cd5d42b4791bdd196bad5a18e5091b624bf5a5cbaf6',
    'the client of @astrojs/react changed: does it still read `prefix` and `ssr` alone of what islands.ts writes?',
  )
})

dependencies.run()
