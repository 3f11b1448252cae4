import { suite } from 'uvu'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import type { Finding } from '#features/maintenance/doctor/finding.ts'
import { type DataDir, makeDataDir } from './data-dir.ts'

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
