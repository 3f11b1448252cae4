import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE } from './export-pages.server.ts'

/** What the member wrote to finders and owners, by time; of the other side nothing. */
export async function* exportMessages(db: Db, userId: string) {
  for (let after = { created_at: 0, id: '' }; ; await nextTurn()) {
    const { created_at, id } = after
    const rows = await db
      .selectFrom('contact_messages as m')
      .innerJoin('contact_threads as t', 't.id', 'm.thread_id')
      .select(['m.id', 'm.thread_id', 'm.text', 'm.created_at'])
      .where((eb) =>
        eb.or([
          eb.and([eb('t.member_id', '=', userId), eb('m.side', '=', 'member')]),
          eb.and([eb('t.finder_id', '=', userId), eb('m.side', '=', 'finder')]),
        ]),
      )
      .where((eb) => eb(eb.refTuple('m.created_at', 'm.id'), '>', eb.tuple(created_at, id)))
      .orderBy('m.created_at')
      .orderBy('m.id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
    for (const row of rows)
      yield { conversacion: row.thread_id, texto: row.text, created_at: toIsoString(row.created_at) }
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE_SIZE) return
    after = last
  }
}
