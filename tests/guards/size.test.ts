import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { freshDb } from '#tests/support/db.ts'
import { readSource, root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

/**
 * Ceilings of what one person has to hold. They only go down: whoever makes something smaller writes the new figure here, and what
 * needs more takes something else away first.
 */
const BUDGETS = {
  /** Lines of tracked text. The formatter breaks lines at `LINE_WIDTH`. */
  programLines: 124019,
  testLines: 101260,
  tables: 84,
  /** Those of the schema: a server creates none. */
  triggers: 27,
  /** Timers that return, and lists of recurring work, wherever the server starts them. */
  loops: 11,
  settings: 73,
  dependencies: 41,
  developmentDependencies: 40,
  /** Decision records that are not superseded. */
  decisions: 165,
}
const LINE_WIDTH = 120

const PROGRAM = ['src', 'db', 'scripts']
/** `data` may grow by data alone: files of these kinds. */
const DATA_FILES = /\.(json|md)$/
/** Files of `data` that a script writes, with the script. The others are edited by hand. */
const GENERATED_DATA: Record<string, string> = {
  'data/gazetteer.json': 'scripts/gazetteer.ts',
  'data/province-shapes.json': 'scripts/province-shapes.ts',
  'data/openapi.json': 'scripts/api-reference.ts',
  'data/portrait-grounds.json': 'scripts/portrait-grounds.ts',
  'data/letters/bricolage-800.json': 'scripts/glyphs.mjs',
  'data/letters/figtree-600.json': 'scripts/glyphs.mjs',
}

const trackedFiles = (folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '')

/** The lines of a file, 0 for one that is not text. */
function countLines(path: string): number {
  const bytes = readFileSync(join(root, path))
  return bytes.includes(0) ? 0 : bytes.toString('latin1').split('\n').length - 1
}
const linesOf = (folders: string[]): number => trackedFiles(folders).reduce((sum, path) => sum + countLines(path), 0)

const guard = suite('size')

/** Fails where a figure is above its budget. */
const assertWithin = (name: keyof typeof BUDGETS, figure: number) =>
  assert.ok(figure <= BUDGETS[name], `${name}: ${figure}, at most ${BUDGETS[name]}`)

guard('lines stay within their budgets', () => {
  for (const config of ['.oxfmtrc.json', '.prettierrc.json'])
    assert.is(JSON.parse(readSource(config)).printWidth, LINE_WIDTH, config)
  assertWithin('programLines', linesOf(PROGRAM))
  assertWithin('testLines', linesOf(['tests']))
})

guard('data holds data alone', () => {
  const files = trackedFiles(['data'])
  assert.equal(
    files.filter((path) => !DATA_FILES.test(path)),
    [],
  )
  for (const [path, script] of Object.entries(GENERATED_DATA)) {
    assert.ok(files.includes(path), path)
    assert.ok(trackedFiles(['scripts']).includes(script), script)
  }
})

guard('tables and triggers stay within their budgets', async () => {
  const db = await freshDb()
  const sqlite = sqliteOf(db)
  const count = (type: string): number =>
    sqlite
      .prepare(`SELECT count(*) FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%'`)
      .pluck()
      .get(type) as number
  assertWithin('tables', count('table'))
  assertWithin('triggers', count('trigger'))
  for (const path of trackedFiles(PROGRAM)) assert.not.match(readSource(path), /CREATE TEMP/i, path)
})

guard('loops, settings, dependencies and decisions stay within their budgets', () => {
  const ofServer = trackedFiles(['src']).filter((path) => /^src\/(?!ui|lib).*(?<!client)\.ts$/.test(path))
  const loops = ofServer.flatMap((path) => readSource(path).match(/\b(setInterval|runEvery|startRecurring)\(/g) ?? [])
  assertWithin('loops', loops.length)
  assertWithin('settings', readSource('.env.example').match(/^#?\s?[A-Z][A-Z0-9_]+=/gm)!.length)
  const { dependencies, devDependencies } = JSON.parse(readSource('package.json'))
  assertWithin('dependencies', Object.keys(dependencies).length)
  assertWithin('developmentDependencies', Object.keys(devDependencies).length)
  const records = trackedFiles(['docs/adr']).filter((path) => /\/\d{4}-/.test(path))
  assertWithin('decisions', records.filter((path) => !/^- Status: superseded/m.test(readSource(path))).length)
})
