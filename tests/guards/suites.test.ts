import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listFiles, readSource } from '#tests/support/sources.ts'

const FILES = listFiles(['tests/guards', 'tests/unit', 'tests/api', 'tests/browser', 'tests/engines'], ['.ts'])

const guard = suite('suites')

guard('every suite is run: one that is not passes silently', () => {
  const faults: string[] = []
  for (const path of FILES)
    for (const [, name] of readSource(path).matchAll(/const (\w+) = (?:suite|\w+Suite)[<(]/g))
      if (!new RegExp(`^${name}\\.run\\(\\)`, 'm').test(readSource(path))) faults.push(`${path}: add ${name}.run()`)
  assert.equal(faults, [])
})

guard('no test is focused or skipped', () => {
  const faults = FILES.filter((path) => !path.endsWith('suites.test.ts') && /\.(only|skip)\(/.test(readSource(path)))
  assert.equal(faults, [])
})

guard('every test file is found by npm test', () => {
  assert.equal(
    FILES.filter((path) => !path.endsWith('.test.ts')),
    [],
    'helpers belong in tests/support',
  )
})

guard.run()
