import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { canForbidWriting } from '#tests/support/faults/test-disk.ts'
import { root } from '#tests/support/sources.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const logs = folderSuite('unit/server/log-write-failures')

/** Runs a program whose log goes to the file `to`; its exit code, or «goes on». */
async function runWithFullLog(to: string, body: string): Promise<unknown> {
  const program = `
    import { openLog } from '#server/log/open-log.ts'
    import { allowWriting, forbidWriting } from '#tests/support/faults/test-disk.ts'
    const log = openLog({ style: 'json', level: 'info' })
    ${body}
  `
  const out = openSync(to, 'w')
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', out, 'ignore'] })
  const end = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const [code] = await once(child, 'exit')
  clearTimeout(end)
  closeSync(out)
  return code ?? 'goes on'
}

logs('failing log writes neither delay the exit nor change its code, also after an uncaught error', async () => {
  const much = `for (let i = 0; i < 3000; i++) log.write('info', 'x'.repeat(1000))`
  assert.is(await runWithFullLog('/dev/full', `${much}; process.exit(3)`), 3)
  assert.is(await runWithFullLog('/dev/full', `${much}; await new Promise((done) => setTimeout(done, 50))`), 0)
  assert.is(await runWithFullLog('/dev/full', `${much}; throw new Error('ours')`), 1)
})

if (canForbidWriting)
  logs('buffered lines are written before the next ones, each as one line of JSON', async ({ dir }) => {
    const file = join(dir, 'log')
    const body = `
      log.write('info', 'before')
      forbidWriting(process.pid)
      log.write('info', 'meanwhile')
      for (let i = 0; i < 3000; i++) log.write('info', 'x'.repeat(1000))
      allowWriting(process.pid)
      log.write('info', 'dropped, for what waits is written first')
      log.write('info', 'after')
    `
    assert.is(await runWithFullLog(file, body), 0)
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg as string)
    assert.equal([lines[0], lines[1], lines.at(-1)], ['before', 'meanwhile', 'after'])
    assert.ok(lines.length > 500 && lines.length < 1100, `${lines.length}: some waited, the rest is dropped`)
  })
