import { sql } from 'kysely'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import type { Finding } from '#features/maintenance/doctor/finding.ts'
import { member, seed } from '#tests/support/seed.ts'
import { COUNT_DAMAGES } from './count-damages.ts'
import { addDogWithPhotos, type DataDir, makeDataDir } from './data-dir.ts'
import { insert } from '#tests/support/rows.ts'
import { assert, suite } from '#tests/support/suites.ts'

const backups = { daily: 7, weekly: 4, monthly: 6 }

interface World {
  data: DataDir
  check: (now?: number) => Promise<Finding[]>
  repair: () => Promise<string[]>
}

/** A suite whose tests each have data of their own, and a doctor for it. */
export function doctorSuite(name: string) {
  const doctor = suite<World>(name)
  doctor.before.each(async (t) => {
    t.data = await makeDataDir()
    const options = { dataDir: t.data.dir, backupDir: t.data.backupDir, backups }
    t.check = (now = Date.now()) => runChecks({ ...options, now })
    t.repair = () => runRepairs(options)
  })
  doctor.after.each((t) => t.data.dispose())
  return doctor
}

/** The findings that are not in order, without the free disk space, which is the machine's. */
export const findProblems = (findings: Finding[]) =>
  findings
    .filter(({ what, level }) => level !== 'ok' && what !== 'disco')
    .map(({ level, what, detail }) => `${level} ${what}: ${detail}`)

/** A test of the doctor, whichever database it has: every count that is wrong is named, and repaired. */
export async function assertCountsAreRepaired({ data, check, repair }: World): Promise<void> {
  await addDogWithPhotos(data, 1, { size: 'grande' })
  const toby = await addDogWithPhotos(data, 1)
  const [ana] = await seed(data.db, member())
  await insert(data.db, 'dog_likes_all', { id: 'x', dog_id: toby.id, user_id: ana.id, created_at: 1 })
  const readProfiles = () => data.db.selectFrom('profiles').selectAll().orderBy('id').execute()
  const listWrongCounts = async () => findProblems(await check()).filter((line) => line.includes('recuentos'))
  const before = await readProfiles()
  for (const [statement, names] of COUNT_DAMAGES) {
    for (const each of statement.split('; ')) await sql.raw(each).execute(data.db)
    const found = await listWrongCounts()
    for (const name of names)
      assert.ok(
        found.some((line) => line.startsWith(`error recuentos: no cuadra: ${name} (`)),
        `${statement}: ${name}`,
      )
    const [done] = await repair()
    assert.match(done!, /^recuentos rehechos: /)
    assert.equal(await listWrongCounts(), [], statement)
    assert.equal(await readProfiles(), before, statement)
  }
}
