import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'

/** An open case of a dog that has an owner, as the owner's form writes it: its circle is in Jaca, its exact point 300 m away. */
export async function insertLostCase(
  db: Db,
  dog: { id: string; owner_id: string | null },
  fields: Partial<Insertable<LostCasesTable>> = {},
): Promise<string> {
  const now = Date.now()
  const id = fields.id ?? randomUUID()
  // What outlives the case, with how often its owner was told today.
  await db
    .insertInto('lost_history')
    .values({ dog_id: dog.id, owner_id: dog.owner_id!, offset_north_m: 200, offset_east_m: 200 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('lost_cases')
    .values({
      id,
      dog_id: dog.id,
      owner_id: dog.owner_id!,
      since: now,
      zone: 'Jaca',
      province: '22',
      lat: 42.5712,
      lon: -0.5498,
      shown_lat: 42.5697,
      shown_lon: -0.5529,
      help: '',
      chip: null,
      code: id.slice(0, 8),
      opened_at: now,
      updated_at: now,
      questions: 0,
      asked_at: null,
      due_at: now + 3 * 86_400_000,
      ...fields,
    })
    .execute()
  return id
}
