import type { Trx as Db } from '#db/client.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { DecisionInput } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'
import type { AdminRequester } from '#lib/auth/current-user.ts'
import { rowOf } from '#tests/support/rows.ts'
import { type CurrentUser, member, type Seed } from '#tests/support/seed.ts'

export const ADMIN = 'admin@ejemplo.es'
/** A text that the word filter doubts. */
export const SALE = 'Se vende por 300 euros'

/** The admin, as who asks for what only the admin may. */
export const admin = (): Seed<{ user: CurrentUser; adminEmail: string }> => async (db, last) => ({
  user: await member({ email: ADMIN, alias: 'Admin' })(db, last),
  adminEmail: ADMIN,
})

/** Somebody reports it as spam. */
export const report = (
  db: Db,
  user: { id: string } | null,
  kind: TargetKind,
  id: string,
  network = 'x',
  now = Date.now(),
) => submitReport(db, user, { kind, id, reason: 'spam', words: '' }, network, now)

export const openCases = (db: Db) => db.selectFrom('cases').selectAll().where('open', '=', 1).execute()
export const caseOf = (db: Db, thing_id: string) => rowOf(db, 'cases', { thing_id })

interface Desk {
  db: Db
  dir: string
  admin: AdminRequester
}

/** The admin's decision on the thing's case. */
export async function decide(
  { db, dir, admin: asker }: Desk,
  thingId: string,
  deed: DecisionInput['deed'],
  fields: Partial<DecisionInput> = {},
  now = Date.now(),
): Promise<void> {
  const { id } = await caseOf(db, thingId)
  await applyCaseAction(db, dir, asker, id, { deed, reason: 'Así es.', days: null, ...fields }, now)
}

/** The same, after a report where nobody has opened a case. */
export async function reportAndDecide(
  t: Desk & { reporter: { id: string } },
  kind: TargetKind,
  id: string,
  deed: DecisionInput['deed'],
  fields?: Partial<DecisionInput>,
): Promise<void> {
  const known = t.db.selectFrom('cases').select('id').where('kind', '=', kind).where('thing_id', '=', id)
  if (!(await known.executeTakeFirst())) await report(t.db, t.reporter, kind, id)
  await decide(t, id, deed, fields)
}
