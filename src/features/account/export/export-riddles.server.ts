import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

/** The member's guesses at riddles, by day. */
export async function* exportRiddles(db: Db, userId: string) {
  for (let after = { day: '', position: 0 }; ; await nextTurn()) {
    const { day, position } = after
    const rows = await db
      .selectFrom('riddle_guesses')
      .select(['day', 'position', 'breed_slug', 'created_at'])
      .where('user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('day', 'position'), '>', eb.tuple(day, position)))
      .orderBy('day')
      .orderBy('position')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
    for (const row of rows)
      yield { reto: row.day, intento: row.position, raza: row.breed_slug, created_at: toIsoString(row.created_at) }
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE_SIZE) return
    after = last
  }
}
