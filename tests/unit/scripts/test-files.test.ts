import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTestRunner } from '../../../scripts/lib/test-files.mjs'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const UVU = `import { test } from 'uvu'; import * as assert from 'uvu/assert'; import { state } from './state.mjs';`

const runners = suite<{ folder: string }>('unit/scripts/test-files')

runners.before((t) => {
  mkdirSync('.cache', { recursive: true })
  // Within the project, where its packages are found.
  t.folder = mkdtempSync(join('.cache', 'test-files-'))
  writeFileSync(join(t.folder, 'state.mjs'), 'export const state = { files: 0, pids: [] }')
})
runners.after((t) => rmSync(resolve(t.folder), { recursive: true }))

/** What the runner counts for files with these texts, run one after another, and what it printed. */
async function run({ folder }: { folder: string }, texts: readonly string[], options = {}) {
  using printed = captureConsole()
  const runner = createTestRunner(options)
  const results = []
  for (const [n, text] of texts.entries()) {
    const file = join(folder, `${printed.length}-${n}-${Math.random()}.test.mjs`)
    writeFileSync(file, `${UVU}\n${text}`)
    results.push(...(await runner.run(file)))
  }
  results.push(...(await runner.close()))
  return { counts: results.map(({ good, bad }) => `${good} ${bad}`), printed: printed.join('\n') }
}

const PASSES = "test('a', () => {}); test.run()"
const FAILS = "test('a', () => assert.ok(false, 'no good')); test.run()"

runners('each file has its own counts and output', async (t) => {
  const { counts, printed } = await run(t, [PASSES, FAILS, "console.log('quiet'); test('a', () => {}); test.run()"])
  assert.equal(counts, ['1 0', '0 1', '1 0'])
  assert.match(printed, 'no good')
  assert.not.match(printed, 'quiet')
})

runners('files share a process and its modules, not its environment and globals', async (t) => {
  const leaves = "test('a', () => { state.files++; process.env['LEFT'] = 'x'; globalThis['left'] = 1 }); test.run()"
  const looks =
    "test('a', () => { assert.is(state.files, 1); assert.is(process.env['LEFT'], undefined); assert.is(globalThis['left'], undefined) }); test.run()"
  assert.equal((await run(t, [leaves, looks])).counts, ['1 0', '1 0'])
})

runners('a file that changes process state runs alone', async (t) => {
  const changes = "process.umask(0o077); test('a', () => { state.files++ }); test.run()"
  const looks = "test('a', () => assert.is(state.files, 0)); test.run()"
  assert.equal((await run(t, [changes, looks])).counts, ['1 0', '1 0'])
})

runners('a file that ends without a summary fails, and the next one runs', async (t) => {
  const exits = "test('a', () => process['exit'](0)); test.run()"
  const throws = "throw new Error('at once')"
  const isEmpty = 'export {}'
  const rejects = "test('a', () => new Promise(() => Promise.reject(new Error('nobody waits')))); test.run()"
  const { counts, printed } = await run(t, [exits, PASSES, throws, PASSES, isEmpty, PASSES, rejects, PASSES])
  assert.equal(counts, ['0 1', '1 0', '0 1', '1 0', '0 1', '1 0', '0 1', '1 0'])
  assert.match(printed, 'at once')
  assert.match(printed, 'nobody waits')
})

runners('a process that ends between files, or does not end, is a failure', async (t) => {
  const late = "test('a', () => { setTimeout(() => process['exit'](3), 200) }); test.run()"
  const open = "test('a', () => { setInterval(() => {}, 1000) }); test.run()"
  assert.equal((await run(t, [late])).counts, ['1 0', '0 1'])
  const left = await run(t, [open], { endMs: 300 })
  assert.equal(left.counts, ['1 0', '0 1'])
  assert.match(left.printed, 'left something open')
})
