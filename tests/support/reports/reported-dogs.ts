import type { Trx as Db } from '#db/client.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import { member, seed } from '#tests/support/seed.ts'

/** Somebody reported the dog: the case that stands in the admin's queue. */
export async function reportDog(db: Db, dogId: string): Promise<string> {
  const [someone] = await seed(db, member())
  await submitReport(db, someone, { kind: 'dog', id: dogId, reason: 'spam', words: '' }, 'x')
  return (await db.selectFrom('cases').select('id').where('thing_id', '=', dogId).executeTakeFirstOrThrow()).id
}

/** The admin warned the dog's people of it: the decision that they may answer. */
export async function warnDogOwners(
  db: Db,
  dataDir: string,
  admin: { id: string; email: string },
  caseId: string,
  reason: string,
): Promise<string> {
  const asker = { user: admin, adminEmail: admin.email }
  await applyCaseAction(db, dataDir, asker, caseId, { deed: 'warn', reason, days: null })
  const rows = db.selectFrom('decisions').select('id').where('case_id', '=', caseId)
  return (await rows.executeTakeFirstOrThrow()).id
}
