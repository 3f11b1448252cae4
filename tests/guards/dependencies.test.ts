import { CRITICAL_CSS, ISLAND_STYLE } from '#lib/critical-css.ts'
import { importsOf, listFiles, readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

// docs/adr/0134-dependencies-as-they-are.md: dependencies are used by what they publish; what is not documented
// and used all the same is pinned, and fails here when the dependency changes under it.

const dependencies = suite('dependencies')
const sources = listFiles(['src'], ['.ts', '.tsx', '.astro']).map((path) => ({ path, text: readSource(path) }))

dependencies('no module reaches into what a dependency keeps to itself', () => {
  // Files of packages by their place in them; what Astro exports for the code that its compiler writes.
  const inner =
    /^(?:astro\/(?:compiler-runtime|runtime|dist)|@lucide\/)|^(?:@[\w-]+\/)?[\w.-]+\/(?:dist|src|lib)\/.*\.m?[jt]s$/
  const found = sources.flatMap(({ path, text }) =>
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

dependencies('no code of a dependency is changed while it is built', () => {
  const patches = sources
    .filter(
      ({ path, text }) =>
        path.startsWith('src/integrations/') &&
        /^\s+(?:async )?(?:transform\(|resolveId: \(id, importer\))/m.test(text),
    )
    .map(({ path }) => path)
  assert.equal(patches, [])
})

dependencies("Astro's style of islands is what the pages' first style says", () => {
  const style = /"(astro-island[^"]+)"/.exec(
    readSource('node_modules/astro/dist/runtime/server/astro-island-styles.js'),
  )?.[1]
  assert.is(ISLAND_STYLE, `<style>${style}</style>`)
  assert.ok(style && CRITICAL_CSS.endsWith(style), `${style} is not in lib/critical-css.ts`)
})
