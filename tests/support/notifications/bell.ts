import type { Trx as Db } from '#db/client.ts'
import { listNotifications } from '#features/notifications/notifications.server.ts'

/** What the member's bell lists, newest first. */
export const bell = async (db: Db, { id }: { id: string }) => (await listNotifications(db, id)).notifications

export const bellTitles = async (db: Db, user: { id: string }) => (await bell(db, user)).map(({ title }) => title)
export const bellTexts = async (db: Db, user: { id: string }) => (await bell(db, user)).map(({ content }) => content)
