import type { Updateable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogsTable } from '#db/schema.ts'
import type { DogRow } from '#features/dogs/dog.server.ts'
import { findOpenCase } from '#features/lost/open-cases.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { invalid } from '#lib/errors.ts'

// A review hides a dog until the admin decides. One that is looked for stays in sight, so that its people cannot, by one word, hide the
// search: what would have to be reviewed is refused meanwhile, and the texts stay as they are.

export const UNFIT_WHILE_LOST =
  'Mientras se busca a este perro no podemos guardar ese texto: parece un anuncio de venta o un insulto, y habría que ocultar la ficha para revisarlo.'

const REVIEWED_FIELDS = ['name', 'description', 'breed', 'zone'] as const

/**
 * Whether a dog whose texts the filter flags stays public all the same: it is lost, and what is flagged stood there before, which the admin
 * has approved. Call it under the dog's lock, which opens a case as well.
 * @throws AppError 422 for a flagged text that is new, while the dog is lost
 */
export async function isKeptWhileLost(trx: Db, row: DogRow, changes: Updateable<DogsTable>): Promise<boolean> {
  if (!(await findOpenCase(trx, row.id))) return false
  const unfit = REVIEWED_FIELDS.find((field) => changes[field] !== row[field] && findTextFlag(changes[field]))
  if (unfit) throw invalid(UNFIT_WHILE_LOST, { [unfit]: UNFIT_WHILE_LOST })
  return true
}

/** @throws AppError 422 for a lost dog whose photos are described with words that need a review */
export async function assertNotLost(trx: Db, dogId: string): Promise<void> {
  if (await findOpenCase(trx, dogId)) throw invalid(UNFIT_WHILE_LOST, { images: UNFIT_WHILE_LOST })
}
