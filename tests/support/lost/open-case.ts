import type { Insertable } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'
import { addLostCase } from './lost-case.ts'

const JACA = { zone: 'Jaca', province: '22', lat: 42.5712, lon: -0.5498, shown_lat: 42.5697, shown_lon: -0.5529 }

/** An open case of a dog that has an owner, as the owner's form writes it: its circle is in Jaca, its exact point 300 m away. */
export const insertLostCase = (
  db: Db,
  dog: { id: string; owner_id: string | null },
  fields: Partial<Insertable<LostCasesTable>> = {},
): Promise<string> =>
  addLostCase(db, { dog_id: dog.id, owner_id: dog.owner_id!, since: Date.now(), ...JACA, ...fields })
