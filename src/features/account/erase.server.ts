import type { Db } from '#db/client.ts'
import { eraseUser as eraseAuth } from '#features/auth/erase.server.ts'
import { eraseUser as eraseBreeds } from '#features/breeds/erase.server.ts'
import { eraseUser as eraseComments } from '#features/comments/erase.server.ts'
import { type DogsChoice, eraseUser as eraseDogs } from '#features/dogs/erase.server.ts'
import { eraseUser as eraseLikes } from '#features/likes/erase.server.ts'
import { removePhotos } from '#features/photos/photos.server.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { eraseUser as eraseProfile } from '#features/profiles/erase.server.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { ACCOUNT_TEXTS } from './account-data.ts'

/** Who asks; null without a session. */
type Asker = { id: string } | null

/**
 * Deletes the member's account with everything of theirs in one transaction, and afterwards the photos of dogs that went
 * along. Every session of theirs ends; the address may register afresh.
 * @param typed the alias typed as confirmation; undefined where none was asked for
 * @throws AppError 401; 422 for an alias that is not theirs
 */
export async function deleteAccount(
  db: Db,
  dataDir: string,
  asker: Asker,
  { dogs, alias: typed }: { dogs: DogsChoice; alias?: string | undefined },
): Promise<void> {
  if (!asker) throw unauthenticated()
  const { id } = asker
  const urls = await db.transaction().execute(async (trx) => {
    const profile = await trx.selectFrom('profiles').select('alias_key').where('id', '=', id).executeTakeFirst()
    if (typed !== undefined && aliasKey(typed) !== profile?.alias_key)
      throw invalid(ACCOUNT_TEXTS.alias, { alias: ACCOUNT_TEXTS.alias })
    await eraseLikes(trx, id)
    await eraseComments(trx, id)
    const photos = await eraseDogs(trx, id, dogs)
    await eraseBreeds(trx, id)
    await eraseProfile(trx, id)
    await eraseAuth(trx, id)
    return photos
  })
  await removePhotos(dataDir, urls).catch((error: unknown) => console.error('Photos left behind:', urls, error))
}
