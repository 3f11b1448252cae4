import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const heads = suite('heads')

/** The opening tags of the frame in a page's source. */
const framesOf = (source: string): string[] =>
  source
    .split(/<(?:Shell|EntryPage)\b/)
    .slice(1)
    .map((rest) => /^[^]*?(?<!=)>/.exec(rest)![0])

/** A page that renders another one, in another frame (src/pages/privacidad/miembros.astro): that one says it. */
const RENDERS_ANOTHER = /^import \w+ from '\.\.\/\w+\.astro'$/m

/** What a page says to search engines: by the pattern of its kind, that it is not to be found, or (the legal texts) itself. */
const SAYS = /\{\.\.\.\w+Head\(|robots="noindex"|description=\{\w+\.summary\} canonical=\{/

heads('every page says whether and as what it is to be found', () => {
  const pages = listFiles(['src/pages'], ['.astro'])
    .filter((path) => !path.startsWith('src/pages/fragments/'))
    .filter((path) => !RENDERS_ANOTHER.test(readSource(path)))
    .map((path) => [path, framesOf(readSource(path))] as const)
  assert.ok(pages.length > 20)
  assert.equal(
    pages.flatMap(([path, frames]) =>
      frames.length === 0 || !frames.every((frame) => SAYS.test(frame)) ? [path] : [],
    ),
    [],
    'a public page gets its pattern in src/features/seo/heads.ts and its place in the sitemap, any other robots="noindex"',
  )
})

heads('the test sees a page that says nothing', () => {
  assert.equal(framesOf('<Shell title="Mi perfil | Perrario" go={() => 1} plain>x</Shell>'), [
    ' title="Mi perfil | Perrario" go={() => 1} plain>',
  ])
  assert.not.ok(SAYS.test(' title="Mi perfil | Perrario" plain>'))
})
