import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'
import type { PublicLostCase } from './lost.ts'

type PublicRow = Omit<Selectable<LostCasesTable>, 'lat' | 'lon'>

/** Columns of `lost_cases` that anybody may see. */
export const PUBLIC_COLUMNS = [
  'lost_cases.id',
  'lost_cases.dog_id',
  'lost_cases.since',
  'lost_cases.zone',
  'lost_cases.province',
  'lost_cases.shown_lat',
  'lost_cases.shown_lon',
  'lost_cases.help',
  'lost_cases.chip',
  'lost_cases.code',
  'lost_cases.opened_at',
] as const

export const toPublicCase = (row: Pick<PublicRow, Unqualified>): PublicLostCase => ({
  id: row.id,
  dog_id: row.dog_id,
  since: row.since,
  zone: row.zone,
  province: row.province,
  shown: { lat: row.shown_lat, lon: row.shown_lon },
  help: row.help,
  chip: row.chip === null ? null : row.chip === 1,
  code: row.code,
  opened_at: row.opened_at,
})
type Unqualified = (typeof PUBLIC_COLUMNS)[number] extends `lost_cases.${infer C}` ? C : never

/** The open case of a dog that is in the lists; null where it is not lost. By the unique index of `dog_id`. */
export async function findOpenCase(db: Db, dogId: string): Promise<PublicLostCase | null> {
  const row = await db
    .selectFrom('lost_cases')
    .innerJoin('dogs', 'dogs.id', 'lost_cases.dog_id')
    .select(PUBLIC_COLUMNS)
    .where('lost_cases.dog_id', '=', dogId)
    .executeTakeFirst()
  return row ? toPublicCase(row) : null
}
