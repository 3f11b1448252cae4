import {
  columnsOf,
  PERSONAL_DATA,
  type TableName,
  TABLES,
} from '#features/account/personal-data/personal-data.server.ts'
import { DAY_MS } from '#lib/time.ts'
import { REQUEST_BODY_MAX_BYTES } from '#server/body/request-size.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** Rows of a Markdown table: its first cell in backticks, and the other cells. */
const rows = [...readSource('docs/privacy.md').matchAll(/^\| `(\w+)` +\|(.*)\|$/gm)].map(([, table, cells]) => ({
  table: table!,
  cells: cells!.split('|').map((cell) => cell.trim()),
}))

const guard = suite('privacy')

/** How the document says after how long a row goes. */
const AGES: Record<number, RegExp> = {
  1: /\ba day\b/,
  3: /\bthree days\b/,
  7: /\b(a week|7 days)\b/,
  365: /\ba year\b/,
}

guard('docs/privacy.md says of every table what is in it of a person, why, who sees it and when it goes', () => {
  const known = rows.filter(({ cells }) => cells.length === 4 && cells.every(Boolean)).map(({ table }) => table)
  assert.equal(known.toSorted(), TABLES.toSorted())
  for (const { table, cells } of rows.filter((row) => known.includes(row.table))) {
    const { until = [], forgets = {} } = PERSONAL_DATA[table as TableName]
    if (columnsOf(table as TableName, 'owner', 'named').length > 0) assert.match(cells[3]!, 'account', table)
    const bounds = [...until, ...Object.values(forgets)].flatMap((rule) => Object.values(rule))
    for (const bound of bounds)
      if (typeof bound === 'number' && bound > 0)
        assert.match(cells.join(), AGES[bound / DAY_MS] ?? `${bound / DAY_MS} days`, table)
  }
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
  assertNone(found, (bytes) => bytes > REQUEST_BODY_MAX_BYTES)
})
