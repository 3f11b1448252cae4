import type { Trx as Db } from '#db/client.ts'
import { submitDogForReview } from '#features/dogs/quarantine.server.ts'
import { withRowsInQuarantine } from '#features/dogs/quarantined-rows.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'

/** Takes a dog out of sight until the admin decides, as versions before did with one whose edit the filter doubted. */
export async function holdDog(
  db: Db,
  author: { id: string },
  id: string,
  { description = 'Se vende', dataDir }: { description?: string; dataDir?: string } = {},
): Promise<void> {
  const review = { cause: 'words', reason: 'Parece un anuncio de venta.', authorId: author.id } as const
  await withRowsInQuarantine(db, id, async (trx) => {
    await trx.updateTable('dogs').set({ description }).where('id', '=', id).execute()
    await submitDogForReview(trx, id, review)
  })
  if (dataDir) await applyPhotoMoves(db, dataDir, id)
}
