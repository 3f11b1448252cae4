import type { Trx as Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { followAllDogs } from '#features/likes/hidden-likes.server.ts'
import { hideDog, submitDogForReview } from '#features/dogs/hidden-dogs.server.ts'

/** Takes a dog out of sight until the admin decides, as versions before did with one whose edit the filter doubted. */
export async function holdDog(
  db: Db,
  author: { id: string },
  id: string,
  { description = 'Se vende' }: { description?: string } = {},
): Promise<void> {
  const review = { cause: 'words', reason: 'Parece un anuncio de venta.', authorId: author.id } as const
  await transact(db, async (trx) => {
    await trx.updateTable('dogs_all').set({ description }).where('id', '=', id).execute()
    await hideDog(trx, id, 'words')
    await submitDogForReview(trx, id, review)
  })
  await followAllDogs(db, [id])
}
