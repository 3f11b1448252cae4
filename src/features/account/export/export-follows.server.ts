import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

const KIND_NAMES = { member: 'persona', breed: 'raza', zone: 'zona' } as const

/** What the member follows, by kind and id. */
export async function* exportFollows(db: Db, userId: string) {
  for (let after = { kind: '', target_id: '' }; ; await nextTurn()) {
    const { kind, target_id } = after
    const rows = await db
      .selectFrom('follows')
      .select(['kind', 'target_id', 'created_at'])
      .where('user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('kind', 'target_id'), '>', eb.tuple(kind as 'member', target_id)))
      .orderBy('kind')
      .orderBy('target_id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
    for (const row of rows)
      yield { que: KIND_NAMES[row.kind], id: row.target_id, created_at: toIsoString(row.created_at) }
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE_SIZE) return
    after = last
  }
}
