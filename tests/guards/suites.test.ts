import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const FILES = listFiles(['tests/guards', 'tests/unit', 'tests/api', 'tests/browser', 'tests/engines'], ['.ts'])

/** Folders whose suites are named by the file, so that a failure leads to it. */
const NAMED_BY_PATH = /^tests\/(?:unit|api)\//

/** The names of a file's suites, or the code that computes one. */
export const suiteNamesIn = (source: string): string[] =>
  [...source.matchAll(/^const \w+ = (?:suite|\w+Suite)\b(?:<[\s\S]*?>)?\(\s*(?:'([^']*)'|([^\s,)]+))/gm)].map(
    ([, name, code]) => name ?? code!,
  )

const guard = suite('suites')

guard('every suite is run: one that is not passes silently', () => {
  // A suite of `tests/support/suites.ts` runs by itself, one of uvu's own does not.
  const faults: string[] = []
  for (const path of [...FILES, ...listFiles(['tests/support'], ['.ts'])])
    if (/\bsuite\b[^\n]* from 'uvu'/.test(readSource(path)) && path !== 'tests/support/suites.ts')
      for (const [, name] of readSource(path).matchAll(/const (\w+) = (?:suite|\w+Suite)[<(]/g))
        if (!new RegExp(`^${name}\\.run\\(\\)`, 'm').test(readSource(path))) faults.push(`${path}: add ${name}.run()`)
  assert.equal(faults, [])
})

const readList = (list: string): string[] =>
  readSource(list)
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))

for (const list of ['tests/long-tests.txt', 'tests/slow-tests.txt', 'tests/postgres-sample.txt'])
  guard(`${list} names files, each once`, () => {
    const listed = readList(list)
    assertNone(listed, (path, at) => !FILES.includes(path) || listed.indexOf(path) < at)
  })

guard('docs/test-kinds.txt knows two kinds, and no contract in it is gone', () => {
  const marks = readList('docs/test-kinds.txt').map((line) => line.split(' '))
  assert.equal([...new Set(marks.map(([kind]) => kind))].sort(), ['contract', 'machinery'])
  const contracts = marks.flatMap(([kind, path]) => (kind === 'contract' ? path! : []))
  assertNone(contracts, (path) => !FILES.includes(path))
})

guard('npm test runs what a quick run leaves out', () => {
  const long = readList('tests/long-tests.txt')
  assertNone(readList('tests/slow-tests.txt'), (path) => long.includes(path) || !NAMED_BY_PATH.test(path))
})

guard('unit and API tests run on PostgreSQL, too', () => {
  for (const folder of ['tests/unit', 'tests/api']) assert.match(readSource('tests/postgres-sample.txt'), `${folder}/`)
})

guard('a suite has the path of its file as its name, and a topic where a file has several', () => {
  const faults = FILES.filter((path) => NAMED_BY_PATH.test(path)).flatMap((path) => {
    const expected = path.slice('tests/'.length, -'.test.ts'.length)
    const names = suiteNamesIn(readSource(path))
    if (names.length === 0) return [`${path}: no suite found`]
    if (names.length === 1) return names[0] === expected ? [] : [`${path}: «${names[0]}» instead of «${expected}»`]
    return names
      .filter((name, at) => !name.startsWith(`${expected}: `) || names.indexOf(name) < at)
      .map((name) => `${path}: «${name}» instead of «${expected}: …», each once`)
  })
  assert.equal(faults, [])
})

guard('the guard sees the names of suites', () => {
  // «=» apart: the guard above reads this file, too.
  const read = (source: string) => suiteNamesIn(source.replaceAll(' is ', ' = '))
  assert.equal(read("const a is suite('unit/x')\nconst b is suite<{ n: () => void }>('unit/y: z')"), [
    'unit/x',
    'unit/y: z',
  ])
  assert.equal(read("const a is hubSuite(\n  'unit/x',\n)\nconst b is suite(NAME)"), ['unit/x', 'NAME'])
})

guard('no test is focused or skipped', () => {
  const faults = FILES.filter((path) => !path.endsWith('suites.test.ts') && /\.(only|skip)\(/.test(readSource(path)))
  assert.equal(faults, [])
})

guard('every test file is found by npm test', () => {
  assertNone(FILES, (path) => !path.endsWith('.test.ts'), 'helpers belong in tests/support')
})
