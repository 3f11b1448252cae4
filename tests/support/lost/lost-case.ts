import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'
import { insert } from '#tests/support/rows.ts'

/** Writes an open case in Getafe, with the dog's history, as rows. @returns its id */
export async function addLostCase(
  db: Db,
  { dog_id, owner_id, ...fields }: Pick<LostCasesTable, 'dog_id' | 'owner_id'> & Partial<Insertable<LostCasesTable>>,
): Promise<string> {
  const id = fields.id ?? randomUUID()
  const opened_at = fields.opened_at ?? Date.now()
  await db
    .insertInto('lost_history')
    .values({ dog_id, owner_id, offset_north_m: 200, offset_east_m: 100 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await insert(db, 'lost_cases', {
    dog_id,
    owner_id,
    since: opened_at - 3_600_000,
    zone: 'Getafe, Madrid',
    province: '28',
    lat: null,
    lon: null,
    shown_lat: 40.305,
    shown_lon: -3.731,
    help: '',
    alerts: null,
    chip: null,
    code: id.slice(0, 8),
    updated_at: opened_at,
    questions: 0,
    asked_at: null,
    due_at: opened_at + 3 * 86_400_000,
    ...fields,
    id,
    opened_at,
  })
  return id
}
