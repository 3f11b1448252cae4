import { importsOf, listFiles, readSource } from '#tests/support/sources.ts'
import { readApiEndpoints } from '../../scripts/lib/api-endpoints.ts'
import { writeApiReference } from '../../scripts/lib/api-reference.ts'
import { writeOpenApi } from '../../scripts/lib/openapi.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const guard = suite('answers of the API')

/** Answers with a problem whatever it is asked. */
const WITHOUT_ANSWERS = ['ALL /api/[...rest]']

guard('every endpoint of src/pages/api says what it answers', async () => {
  const endpoints = await readApiEndpoints()
  assert.ok(endpoints.length > 60, `${endpoints.length} endpoints`)
  const silent = endpoints.filter(({ answers }) => Object.keys(answers ?? {}).length === 0)
  assert.equal(
    silent.map(({ method, path }) => `${method} ${path}`),
    WITHOUT_ANSWERS,
    'give `endpoint` its answers first: endpoint({ 200: schema }, …), the schema in the feature’s answers.ts',
  )
})

guard('docs/api.md and data/openapi.json are what the endpoints say', async () => {
  assert.is(readSource('docs/api.md'), await writeApiReference(), 'run node scripts/api-reference.ts')
  assert.is(readSource('data/openapi.json'), await writeOpenApi(), 'run node scripts/api-reference.ts')
})

/** Endpoints and other answers import schemas; everything else only their types. */
const SCHEMA_READERS = /\.http\.ts$|\/answers\.ts$/
const VALUE_IMPORT = /^(?:import|export) (?!type\b)[\w*{}\s,$]+? from '([^']*\/answers\.ts)'/gm
const valueImportsOf = (source: string) => [...source.matchAll(VALUE_IMPORT)].map(([, target]) => target!)

guard('no page and no browser file loads the schemas, only their types', () => {
  const readers = listFiles(['src'], ['.ts', '.tsx', '.astro']).filter((path) =>
    importsOf(readSource(path)).some((target) => target.endsWith('/answers.ts')),
  )
  assert.ok(readers.length > 30, `${readers.length} files with types of answers`)
  assertNone(
    readers,
    (path) => !SCHEMA_READERS.test(path) && valueImportsOf(readSource(path)).length > 0,
    'write `import type`',
  )
})

guard('the guard sees an import of a schema', () => {
  assert.equal(valueImportsOf(`import { z } from 'zod'\nimport type { a } from './answers.ts'\n`), [])
  assert.equal(valueImportsOf(`import type {\n  a,\n} from './answers.ts'\nimport { b } from '#x/answers.ts'\n`), [
    '#x/answers.ts',
  ])
})
