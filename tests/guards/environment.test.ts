import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** The one file that reads the environment: what it reads is checked there, once. */
const READER = 'src/server/env.ts'

/** `process.env` in any spelling, and names imported from Node's own module. */
const READS =
  /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*(?:\?\.)?\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b|from 'node:process'/
/** Values that the build knows; everything else of `import.meta.env` is an environment variable. */
const BUILD_VALUES = /\bimport\.meta\.env(?!\??\.(?:PROD|DEV|SSR|MODE|BASE_URL)\b)/

const readsEnvironment = (source: string): boolean => READS.test(source) || BUILD_VALUES.test(source)

const guard = suite('environment')

guard('only server/env.ts reads the environment', () => {
  const sources = [...listFiles(['src', 'db'], ['.ts', '.tsx', '.astro', '.js']), 'astro.config.mjs']
  assertNone(
    sources,
    (path) => path !== READER && readsEnvironment(readSource(path)),
    `add the setting to the schema of ${READER} and pass it on`,
  )
  assert.ok(readsEnvironment(readSource(READER)))
})

guard('the guard sees every way to read it', () => {
  for (const source of [
    'process.env.PORT',
    "process['env']",
    'process?.env',
    'const { env } = process',
    "import { env } from 'node:process'",
    'import.meta.env.SITE_URL',
    'import.meta.env',
  ])
    assert.ok(readsEnvironment(source), source)
  for (const source of ['import.meta.env.PROD', 'import.meta.env?.DEV', 'env.port', 'process.exit(1)'])
    assert.not(readsEnvironment(source), source)
})
