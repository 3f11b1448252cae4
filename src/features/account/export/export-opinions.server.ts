import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

/** What the member thinks of the breeds of others' dogs; without its name where a dog is out of sight. */
export async function* exportOpinions(db: Db, userId: string) {
  for (let after = ''; ; await nextTurn()) {
    const rows = await db
      .selectFrom('breed_opinions as o')
      .leftJoin('dogs as d', 'd.id', 'o.dog_id')
      .select(['o.id', 'o.dog_id', 'd.name', 'o.breed_slug', 'o.reason', 'o.created_at'])
      .where('o.user_id', '=', userId)
      .where('o.id', '>', after)
      .orderBy('o.id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
    for (const { dog_id, name, breed_slug, reason, created_at } of rows)
      yield { dog_id, perro: name, raza: breed_slug, motivo: reason, created_at: toIsoString(created_at) }
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE_SIZE) return
    after = last.id
  }
}
