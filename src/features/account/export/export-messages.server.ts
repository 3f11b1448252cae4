import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'

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

/** Of which conversations the member is mailed at their account's address. */
export async function* exportMessageMails(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('contact_mails as a')
      .innerJoin('contact_threads as t', 't.id', 'a.thread_id')
      .select(['a.thread_id as id', 'a.created_at'])
      .where('a.confirmed_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb.and([eb('t.member_id', '=', userId), eb('a.side', '=', 'member')]),
          eb.and([eb('t.finder_id', '=', userId), eb('a.side', '=', 'finder')]),
        ]),
      )
      .where((eb) => eb(eb.refTuple('a.created_at', 'a.thread_id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('a.created_at')
      .orderBy('a.thread_id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { id, created_at } of rows) yield { conversacion: id, created_at: toIsoString(created_at) }
}

/** Messages that the member reported, and their own that others did: of the others' words nothing. */
export async function* exportReportedMessages(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('reported_messages')
      .select(['id', 'message_id', 'text', 'writer_id', 'created_at'])
      .where((eb) => eb.or([eb('reporter_id', '=', userId), eb('writer_id', '=', userId)]))
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { message_id, text, writer_id, created_at } of rows)
      yield {
        mensaje: message_id,
        ...(writer_id === userId ? { texto: text } : { lo_denunciaste: true }),
        created_at: toIsoString(created_at),
      }
}
