import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { REQUEST_BODY_MAX_BYTES } from '#server/body/request-size.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'

/** Rows of a Markdown table: its first cell in backticks, and the other cells. */
const rows = [...readSource('docs/privacy.md').matchAll(/^\| `(\w+)` +\|(.*)\|$/gm)].map(([, table, cells]) => ({
  table: table!,
  cells: cells!.split('|').map((cell) => cell.trim()),
}))

const guard = suite('privacy')

guard('docs/privacy.md says of every table what is in it of a person, why, who sees it and when it goes', () => {
  const schema = readSource('db/schema.ts')
  const tables = [...schema.slice(schema.indexOf('export interface Schema')).matchAll(/^ {2}(\w+):/gm)].map(
    (m) => m[1]!,
  )
  assert.ok(tables.length > 30)
  const known = rows.filter(({ cells }) => cells.length === 4 && cells.every(Boolean)).map(({ table }) => table)
  assert.equal(
    tables.filter((table) => !known.includes(table)),
    [],
  )
  assert.equal(
    known.filter((table) => !tables.includes(table)),
    [],
    'tables that are gone',
  )
})

guard('bodies are read by server/body/read-body.ts alone, which bounds their size and their time', () => {
  const files = ['src/server', 'src/features', 'src/pages']
  const faults = listFiles(files, ['.ts', '.tsx', '.astro']).filter(
    (path) =>
      !/\.client\.ts$|\.tsx$|^src\/server\/(body\/read-body|endpoint)\.ts$/.test(path) &&
      /\brequest\s*\.\s*(json|text|formData|arrayBuffer|blob|body)\b/.test(readSource(path)),
  )
  assert.equal(faults, [])
})

guard('every limit of a body is below that of all requests', () => {
  const found: number[] = []
  for (const path of listFiles(['src/features', 'src/server'], ['.ts']))
    for (const [, factors] of readSource(path).matchAll(
      /(?:BODY_MAX_BYTES|FORM_MAX_BYTES|MAX_FORM_BYTES) = ([\d *]+)$/gm,
    ))
      found.push(factors!.split('*').reduce((product, factor) => product * Number(factor), 1))
  assert.ok(found.length > 8)
  assert.equal(
    found.filter((bytes) => bytes > REQUEST_BODY_MAX_BYTES),
    [],
  )
})

guard.run()
