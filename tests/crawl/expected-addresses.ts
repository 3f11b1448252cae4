import type { Trx as Db } from '#db/client.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { paths } from '#lib/paths.ts'

/** Every address that a reader must be able to reach: all dogs, members and breeds, and the fixed pages. */
export async function expectedAddresses(db: Db): Promise<string[]> {
  const dogs = await db.selectFrom('dogs').select(['path_breed', 'path_slug']).execute()
  const members = await db.selectFrom('profiles').select('id').execute()
  const fixed = [paths.home, paths.breeds, paths.community, paths.login, paths.terms, paths.privacy]
  return [
    ...fixed,
    ...dogs.map(paths.dog),
    ...members.map(({ id }) => paths.member(id)),
    ...breedNames.map(({ slug }) => paths.breed(slug)),
  ]
}
