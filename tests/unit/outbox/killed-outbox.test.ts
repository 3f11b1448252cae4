import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { root } from '#tests/support/sources.ts'
import { assert, countJobs, suite } from '#tests/support/suites.ts'

const dir = mkdtempSync(join(tmpdir(), 'perrario-killed-'))
const [file, log] = [join(dir, 'perrario.db'), join(dir, 'sent')]

/** Sends mails, a line in `log` each, an hour later in each round: what the one before had in hand is due again. */
const WORKER = `
  import { appendFileSync } from 'node:fs'
  import { openDatabase } from '#db/client.ts'
  import { mailTopic } from '#features/outbox/mail-topic.server.ts'
  import { runDueJobs } from '#features/outbox/outbox.server.ts'
  const db = openDatabase(${JSON.stringify(file)})
  const send = async ({ to, messageId }) => appendFileSync(${JSON.stringify(log)}, to + ' ' + messageId + '\\n')
  const topic = mailTopic({ siteUrl: 'https://perrario.example', send }, {
    name: 'mails', failure: 'falla', issueToken: async () => '', compose: async (_, { key }) => () => ({ to: key }),
  })
  process.stdout.write('ready')
  const start = Number(process.argv.at(-1)) * 3_600_000
  for (let now = start; now < start + 3_600_000; now += 60_000) await runDueJobs(db, [topic], { now })
`

/** @returns whether it was killed at work */
async function work(round: number, killAfterMs = Infinity): Promise<boolean> {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', WORKER, String(round)]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  if (killAfterMs < Infinity) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await ended
  return child.signalCode === 'SIGKILL'
}

const killed = suite('unit/outbox/killed-outbox')

killed('a process that is killed 50 times loses no mail, and repeats the one in hand with its Message-ID', async () => {
  const db = await openMigratedDatabase(file)
  let [kills, mails] = [0, 0]
  for (let round = 1; kills < 50; round++) {
    const added = Array.from({ length: 30 }, () => ({ key: `${mails++}` }))
    await enqueue(db, 'mails', added, 1)
    if (await work(round, Math.random() * 40)) kills++
  }
  await work(1000)
  const sent = readFileSync(log, 'utf8').trim().split('\n')
  assert.is(await countJobs(db, 'mails'), 0)
  assert.is(new Set(sent.map((line) => line.split(' ')[0])).size, mails)
  assert.is(new Set(sent).size, mails)
  assert.ok(sent.length - mails <= kills, `${sent.length - mails} repeated`)
  await db.destroy()
  rmSync(dir, { recursive: true })
})
