import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { assert, pluck, suite } from '#tests/support/suites.ts'
const words = suite('unit/lost/own-sentences')

const FOLDERS = 'src/{features/{contact,found,lost,nearby,opinions,sightings},pages/{encontrados,mensajes,perdidos}}'
/** What a browser refuses by itself, in a bubble that says it in its own language. */
const CONSTRAINTS = / required\b| pattern=| min(?:length)?=| type="(?:email|url|number)"/

words('no form of lost and found dogs relies on the browser’s bubbles', async () => {
  const files = await Array.fromAsync(glob(`${FOLDERS}/**/*.astro`))
  const forms = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<form\b[^]*?<\/form>/g)].map(([html]) => ({ file, html })),
  )
  const constrained = forms.filter(({ html }) => CONSTRAINTS.test(html))
  assert.ok(constrained.length >= 7, `${constrained.length} forms`)
  assert.equal(
    pluck(
      constrained.filter(({ html }) => !/^<form\b[^]*?\bnovalidate\b[^]*?>/.test(html)),
      'file',
    ),
    [],
  )
})
