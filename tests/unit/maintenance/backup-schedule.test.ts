import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupName, backupTime } from '#features/maintenance/maintenance.ts'
import { isBackupDue, selectExpiredBackups } from '#features/maintenance/backup-policy.ts'
import { nightlyBackups } from '#features/maintenance/backup-schedule.server.ts'
import { runEvery } from '#lib/jobs.ts'
import { readEnv } from '#server/env.ts'
import { assert, captureConsole, folderSuite, suite } from '#tests/support/suites.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Monday 23 November 2026, 4:30 in Madrid. */
const BACKUP_NIGHT = Date.UTC(2026, 10, 23, 3, 30)

const retention = suite('unit/maintenance/backup-schedule: retention')

retention('names sort by time and are parsed', () => {
  assert.is(backupName(BACKUP_NIGHT), '2026-11-23T03-30-00Z')
  assert.is(backupTime('2026-11-23T03-30-00Z'), BACKUP_NIGHT)
  for (const name of ['2026-11-23T03-30-00Z.part', 'last.json', '2026-13-45T03-30-00Z', 'photos'])
    assert.is(backupTime(name), null, name)
})

retention('7 days, 4 weeks and 6 months of a year of nights are retained', () => {
  const names = Array.from({ length: 365 }, (_, i) => backupName(BACKUP_NIGHT - i * DAY))
  const expired = new Set(selectExpiredBackups(names, { daily: 7, weekly: 4, monthly: 6 }))
  assert.equal(
    names.filter((name) => !expired.has(name)).map((name) => name.slice(0, 10)),
    [
      // Days.
      '2026-11-23',
      '2026-11-22',
      '2026-11-21',
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      // The Sundays of the weeks before (this week's is its Monday, last week's Sunday is above).
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

retention('the newest of each day and the last backup are always retained', () => {
  const [one, two, three] = [BACKUP_NIGHT - 2 * HOUR, BACKUP_NIGHT - HOUR, BACKUP_NIGHT].map(backupName) as [
    string,
    string,
    string,
  ]
  assert.equal(selectExpiredBackups([two, three, one], { daily: 3, weekly: 0, monthly: 0 }), [one, two])
  assert.equal(selectExpiredBackups([one], { daily: 0, weekly: 0, monthly: 0 }), [])
  assert.equal(selectExpiredBackups(['foto.jpg', 'last.json', `${one}.part`], { daily: 0, weekly: 0, monthly: 0 }), [])
})

retention('the setting BACKUPS contains the numbers', () => {
  const parse = (BACKUPS: string) => readEnv({ BACKUPS }).backups
  assert.equal(parse(''), { daily: 7, weekly: 4, monthly: 6 })
  assert.equal(parse('3'), { daily: 3, weekly: 0, monthly: 0 })
  assert.equal(parse('14,8'), { daily: 14, weekly: 8, monthly: 0 })
  assert.is(parse('off'), null)
  for (const bad of ['si', '7,4,6,1', '-1', '7;4'])
    assert.throws(() => parse(bad), /se esperaba off, o días, semanas y meses como 7,4,6/)
  assert.is(readEnv({ DATA_DIR: '/srv/perrario' }).backupDir, join('/srv/perrario', 'backups'))
  assert.is(readEnv({ BACKUP_DIR: '/copias' }).backupDir, '/copias')
})

const due = suite('unit/maintenance/backup-schedule: due time')

due('a backup is due once a night, in Madrid', () => {
  assert.ok(isBackupDue(BACKUP_NIGHT, [], 0))
  assert.ok(isBackupDue(BACKUP_NIGHT, [BACKUP_NIGHT - 23 * HOUR], 0))
  assert.not.ok(isBackupDue(BACKUP_NIGHT, [BACKUP_NIGHT - HOUR], 0))
  assert.not.ok(isBackupDue(BACKUP_NIGHT - HOUR, [BACKUP_NIGHT - 23 * HOUR], 10 * HOUR), 'not before four')
  // In summer four o'clock is two in UTC.
  assert.ok(isBackupDue(Date.UTC(2026, 6, 1, 2, 5), [], 0))
  assert.not.ok(isBackupDue(Date.UTC(2026, 6, 1, 1, 55), [], 0))
})

due('a backup is due by day only after missed nights, and not right after a start', () => {
  const noon = BACKUP_NIGHT + 8 * HOUR
  assert.not.ok(isBackupDue(noon, [], 10_000))
  assert.ok(isBackupDue(noon, [], HOUR))
  assert.ok(isBackupDue(noon, [noon - 40 * HOUR], HOUR))
  assert.not.ok(isBackupDue(noon, [noon - 30 * HOUR], HOUR))
})

due('a wrong clock neither prevents nor repeats a backup', () => {
  const future = BACKUP_NIGHT + 400 * DAY
  assert.ok(isBackupDue(BACKUP_NIGHT, [future], 0), 'a backup from the future does not count')
  assert.not.ok(isBackupDue(BACKUP_NIGHT, [future, BACKUP_NIGHT - HOUR], 0))
})

const schedule = folderSuite<{ lines: string[] }>('unit/maintenance/backup-schedule: schedule')
schedule.before.each((t) => void (t.lines = []))

/** Writes a stub of scripts/backup.ts that logs the arguments of every call. */
const writeScript = (dir: string, body: string) => {
  const file = join(dir, 'script.mjs')
  const count = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(join(dir, 'calls'))}, process.argv.slice(2) + '\\n')\n`
  writeFileSync(file, count + body)
  return file
}
const readCalls = (dir: string) => readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n')

const every = (...options: Parameters<typeof nightlyBackups>) =>
  runEvery({ intervalMs: 5 }, '', nightlyBackups(...options))

async function waitUntil(test: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !test(); i++) await new Promise((done) => setTimeout(done, 20))
  assert.ok(test())
}

schedule('runs the script once, in a separate process, and logs its last line', async ({ dir, lines }) => {
  const backupDir = join(dir, 'copias')
  const made = join(backupDir, backupName(BACKUP_NIGHT))
  const script = writeScript(
    dir,
    `import { mkdirSync } from 'node:fs'\nmkdirSync(${JSON.stringify(made)}, { recursive: true })\nconsole.log('perrario · antes')\nconsole.log('perrario · copia hecha')`,
  )
  const log = (text: string) => lines.push(text)
  const nightly = every({ backupDir, script, log }, { clock: () => BACKUP_NIGHT + 1000, uptime: () => 0 })
  await waitUntil(() => lines.length > 0)
  await new Promise((done) => setTimeout(done, 100))
  await nightly.close()
  assert.equal(lines, ['copia hecha'])
  assert.equal(readCalls(dir), ['--nightly'])
})

schedule('after a failure the next attempt is an hour later', async ({ dir }) => {
  const script = writeScript(dir, `console.error('perrario · no queda sitio'); process.exit(1)`)
  using errors = captureConsole()
  let uptimeMs = 0
  const options = { clock: () => BACKUP_NIGHT, uptime: () => uptimeMs }
  const nightly = every({ backupDir: join(dir, 'copias'), script, log: () => {} }, options)
  try {
    await waitUntil(() => errors.length === 1)
    await new Promise((done) => setTimeout(done, 100))
    assert.is(readCalls(dir).length, 1)
    uptimeMs = HOUR
    await waitUntil(() => errors.length === 2)
  } finally {
    await nightly.close()
  }
  assert.equal(errors, ['perrario · no queda sitio', 'perrario · no queda sitio'])
})

schedule('closing the schedule stops the script', async ({ dir, lines }) => {
  mkdirSync(join(dir, 'copias'))
  const script = writeScript(dir, 'setInterval(() => {}, 1000)')
  const log = (text: string) => lines.push(text)
  const options = { clock: () => BACKUP_NIGHT, uptime: () => 0 }
  const nightly = every({ backupDir: join(dir, 'copias'), script, log }, options)
  await waitUntil(() => {
    try {
      return readCalls(dir).length === 1
    } catch {
      return false
    }
  })
  await nightly.close()
  assert.equal(lines, [])
})
