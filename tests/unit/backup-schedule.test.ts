import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { backupName, backupTime } from '#features/care/care.ts'
import { isDue, toDrop } from '#features/care/retention.ts'
import { openBackups } from '#features/care/schedule.server.ts'
import { readEnv } from '#server/env.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Monday 23 November 2026, 4:30 in Madrid. */
const NIGHT = Date.UTC(2026, 10, 23, 3, 30)

const retention = suite('which backups stay')

retention('names sort by time and are read back', () => {
  assert.is(backupName(NIGHT), '2026-11-23T03-30-00Z')
  assert.is(backupTime('2026-11-23T03-30-00Z'), NIGHT)
  for (const name of ['2026-11-23T03-30-00Z.part', 'last.json', '2026-13-45T03-30-00Z', 'photos'])
    assert.is(backupTime(name), null, name)
})

retention('7 days, 4 weeks and 6 months of a year of nights', () => {
  const names = Array.from({ length: 365 }, (_, i) => backupName(NIGHT - i * DAY))
  const dropped = new Set(toDrop(names, { daily: 7, weekly: 4, monthly: 6 }))
  assert.equal(
    names.filter((name) => !dropped.has(name)).map((name) => name.slice(0, 10)),
    [
      // Days.
      '2026-11-23',
      '2026-11-22',
      '2026-11-21',
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      // The Sundays of the weeks before (this week's is its Monday, last week's Sunday stands above).
      '2026-11-15',
      '2026-11-08',
      // Ends of months.
      '2026-10-31',
      '2026-09-30',
      '2026-08-31',
      '2026-07-31',
      '2026-06-30',
    ],
  )
})

retention('of one day the newest; the last one stays whatever is wanted', () => {
  const [one, two, three] = [NIGHT - 2 * HOUR, NIGHT - HOUR, NIGHT].map(backupName) as [string, string, string]
  assert.equal(toDrop([two, three, one], { daily: 3, weekly: 0, monthly: 0 }), [one, two])
  assert.equal(toDrop([one], { daily: 0, weekly: 0, monthly: 0 }), [])
  assert.equal(toDrop(['foto.jpg', 'last.json', `${one}.part`], { daily: 0, weekly: 0, monthly: 0 }), [])
})

retention('BACKUPS says how many', () => {
  const wanted = (BACKUPS: string) => readEnv({ BACKUPS }).backups
  assert.equal(wanted(''), { daily: 7, weekly: 4, monthly: 6 })
  assert.equal(wanted('3'), { daily: 3, weekly: 0, monthly: 0 })
  assert.equal(wanted('14,8'), { daily: 14, weekly: 8, monthly: 0 })
  assert.is(wanted('off'), null)
  for (const bad of ['si', '7,4,6,1', '-1', '7;4'])
    assert.throws(() => wanted(bad), /se esperaba off, o días, semanas y meses como 7,4,6/)
  assert.is(readEnv({ DATA_DIR: '/srv/perrario' }).backupDir, join('/srv/perrario', 'backups'))
  assert.is(readEnv({ BACKUP_DIR: '/copias' }).backupDir, '/copias')
})

retention.run()

const due = suite('when a backup is due')

due('once a night, in Madrid', () => {
  assert.ok(isDue(NIGHT, [], 0))
  assert.ok(isDue(NIGHT, [NIGHT - 23 * HOUR], 0))
  assert.not.ok(isDue(NIGHT, [NIGHT - HOUR], 0))
  assert.not.ok(isDue(NIGHT - HOUR, [NIGHT - 23 * HOUR], 10 * HOUR), 'not before four')
  // In summer four o'clock is two in UTC.
  assert.ok(isDue(Date.UTC(2026, 6, 1, 2, 5), [], 0))
  assert.not.ok(isDue(Date.UTC(2026, 6, 1, 1, 55), [], 0))
})

due('by day only after nights that were missed, and not at once', () => {
  const noon = NIGHT + 8 * HOUR
  assert.not.ok(isDue(noon, [], 10_000))
  assert.ok(isDue(noon, [], HOUR))
  assert.ok(isDue(noon, [noon - 40 * HOUR], HOUR))
  assert.not.ok(isDue(noon, [noon - 30 * HOUR], HOUR))
})

due('a clock that was wrong stops nothing and repeats nothing', () => {
  const future = NIGHT + 400 * DAY
  assert.ok(isDue(NIGHT, [future], 0), 'one from the future does not count')
  assert.not.ok(isDue(NIGHT, [future, NIGHT - HOUR], 0))
})

due.run()

const schedule = suite<{ dir: string; lines: string[] }>('the nightly schedule')
schedule.before.each((t) => {
  t.dir = mkdtempSync(join(tmpdir(), 'perrario-schedule-'))
  t.lines = []
})
schedule.after.each((t) => rmSync(t.dir, { recursive: true, force: true }))

/** A stand-in for scripts/backup.ts that writes how often and with what words it was called. */
const scriptIn = (dir: string, body: string) => {
  const file = join(dir, 'script.mjs')
  const count = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(join(dir, 'calls'))}, process.argv.slice(2) + '\\n')\n`
  writeFileSync(file, count + body)
  return file
}
const callsIn = (dir: string) => readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n')

async function until(test: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !test(); i++) await new Promise((done) => setTimeout(done, 20))
  assert.ok(test())
}

schedule('runs it in a process of its own, once, and says its last line', async ({ dir, lines }) => {
  const backupDir = join(dir, 'copias')
  const made = join(backupDir, backupName(NIGHT))
  const script = scriptIn(
    dir,
    `import { mkdirSync } from 'node:fs'\nmkdirSync(${JSON.stringify(made)}, { recursive: true })\nconsole.log('perrario · antes')\nconsole.log('perrario · copia hecha')`,
  )
  const say = (text: string) => lines.push(text)
  const nightly = openBackups({ backupDir, script, say }, { every: 5, clock: () => NIGHT + 1000, uptime: () => 0 })
  await until(() => lines.length > 0)
  await new Promise((done) => setTimeout(done, 100))
  await nightly.close()
  assert.equal(lines, ['copia hecha'])
  assert.equal(callsIn(dir), ['--nightly'])
})

schedule('one that fails is left in peace for an hour', async ({ dir }) => {
  const script = scriptIn(dir, `console.error('perrario · no queda sitio'); process.exit(1)`)
  const { error } = console
  const told: string[] = []
  console.error = (text: string) => told.push(text)
  let up = 0
  const options = { every: 5, clock: () => NIGHT, uptime: () => up }
  const nightly = openBackups({ backupDir: join(dir, 'copias'), script, say: () => {} }, options)
  try {
    await until(() => told.length === 1)
    await new Promise((done) => setTimeout(done, 100))
    assert.is(callsIn(dir).length, 1)
    up = HOUR
    await until(() => told.length === 2)
  } finally {
    await nightly.close()
    console.error = error
  }
  assert.equal(told, ['perrario · no queda sitio', 'perrario · no queda sitio'])
})

schedule('a server that stops takes it along', async ({ dir, lines }) => {
  mkdirSync(join(dir, 'copias'))
  const script = scriptIn(dir, 'setInterval(() => {}, 1000)')
  const say = (text: string) => lines.push(text)
  const options = { every: 5, clock: () => NIGHT, uptime: () => 0 }
  const nightly = openBackups({ backupDir: join(dir, 'copias'), script, say }, options)
  await until(() => {
    try {
      return callsIn(dir).length === 1
    } catch {
      return false
    }
  })
  await nightly.close()
  assert.equal(lines, [])
})

schedule.run()
