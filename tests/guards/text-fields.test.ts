import { listSchemaFields } from '#tests/support/xss/schema-fields.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { FIELD_USES } from '#tests/support/xss/text-fields.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const guard = suite('text fields')

guard(
  'every field that a schema asks for is known to tests/browser/security/stored-xss, or it is said why nobody sees it',
  () => {
    const fields = listSchemaFields()
    assert.ok(fields.length > 60)
    assertNone(fields, (field) => !(field in FIELD_USES), 'say in tests/support/xss/text-fields.ts where it is shown')
    assertNone(Object.keys(FIELD_USES), (field) => !fields.includes(field), 'fields that are gone')
  },
)

guard('every schema that a call or a form is checked with is among those that are read', () => {
  const known = new Set(listSchemaFields().map((field) => field.split(':')[0]!))
  const files = listFiles(['src/features', 'src/pages'], ['.ts', '.astro'])
  const checked = new Set(
    files.flatMap((path) =>
      [...readSource(path).matchAll(/\b(?:check\(|readJson\(context, )(\w+)[,)]/g)].map(([, name]) => name!),
    ),
  )
  const declares = (path: string, name: string) => new RegExp(`const ${name}\\b`).test(readSource(path))
  const read = files.filter((path) => known.has(path.slice('src/features/'.length)))
  const faults = [...checked].filter((name) => !read.some((path) => declares(path, name)))
  assert.ok(checked.size > 15)
  assert.equal(faults, [])
})
