import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'

/** The sides of a conversation, each with the column of its member, which has an index: contact_threads_member, contact_threads_finder. */
const SIDES = [
  ['t.member_id', 'member'],
  ['t.finder_id', 'finder'],
] as const

/** What the member wrote, first as owner, then as finder, each by time; of the other side nothing. */
export async function* exportMessages(db: Db, userId: string) {
  for (const [column, side] of SIDES) {
    const read = (after: { created_at: number; id: string }) =>
      db
        .selectFrom('contact_messages as m')
        .innerJoin('contact_threads as t', 't.id', 'm.thread_id')
        .select(['m.id', 'm.thread_id', 'm.text', 'm.created_at'])
        .where(column, '=', userId)
        .where('m.side', '=', side)
        .where((eb) => eb(eb.refTuple('m.created_at', 'm.id'), '>', eb.tuple(after.created_at, after.id)))
        .orderBy('m.created_at')
        .orderBy('m.id')
        .limit(EXPORT_PAGE_SIZE)
        .execute()
    for await (const rows of readPages(read))
      for (const { thread_id, text, created_at } of rows)
        yield { conversacion: thread_id, texto: text, created_at: toIsoString(created_at) }
  }
}

/** Of which conversations the member is mailed at their account's address, first as owner, then as finder. */
export async function* exportMessageMails(db: Db, userId: string) {
  for (const [column, side] of SIDES) {
    const read = (after: { created_at: number; id: string }) =>
      db
        .selectFrom('contact_mails as a')
        .innerJoin('contact_threads as t', 't.id', 'a.thread_id')
        .select(['a.thread_id as id', 'a.created_at'])
        .where(column, '=', userId)
        .where('a.side', '=', side)
        .where('a.confirmed_at', 'is not', null)
        .where((eb) => eb(eb.refTuple('a.created_at', 'a.thread_id'), '>', eb.tuple(after.created_at, after.id)))
        .orderBy('a.created_at')
        .orderBy('a.thread_id')
        .limit(EXPORT_PAGE_SIZE)
        .execute()
    for await (const rows of readPages(read))
      for (const { id, created_at } of rows) yield { conversacion: id, created_at: toIsoString(created_at) }
  }
}

const selectReportedMessages = (db: Db, after: { created_at: number; id: string }) =>
  db
    .selectFrom('reported_messages')
    .select(['id', 'message_id', 'text', 'created_at'])
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(EXPORT_PAGE_SIZE)

/** The member's messages that others reported, by the index reported_messages_writer. */
const readReported = (db: Db, userId: string) =>
  readPages((after) => selectReportedMessages(db, after).where('writer_id', '=', userId).execute())

/** Messages of others that the member reported, by the index reported_messages_reporter. */
const readReports = (db: Db, userId: string) =>
  readPages((after) =>
    selectReportedMessages(db, after)
      .where('reporter_id', '=', userId)
      .where('writer_id', 'is distinct from', userId)
      .execute(),
  )

/** The member's messages that others reported, then those that they reported themselves, without the others' words; each oldest first. */
export async function* exportReportedMessages(db: Db, userId: string) {
  for await (const rows of readReported(db, userId))
    for (const { message_id, text, created_at } of rows)
      yield { mensaje: message_id, texto: text, created_at: toIsoString(created_at) }
  for await (const rows of readReports(db, userId))
    for (const { message_id, created_at } of rows)
      yield { mensaje: message_id, lo_denunciaste: true, created_at: toIsoString(created_at) }
}
