import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { createSession, toSessionId } from '#features/auth/sessions/sessions.server.ts'
import { storeNotification } from '#features/notifications/notifications.server.ts'
import { readPushKeys } from '#features/notifications/push/vapid-keys.server.ts'
import { openSender, type Sender } from '#features/notifications/push/sender.server.ts'
import { subscribe } from '#features/notifications/push/subscriptions.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { type PushStub, startPushStub } from '#tests/support/stubs/push-service.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { suite } from '#tests/support/suites.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-push-'))
export const KEYS = readPushKeys(dataDir)
/** A Friday at noon in Madrid. */
export const NOON = Date.parse('2026-11-20T11:00:00Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export interface Context {
  db: Db
  stub: PushStub
  sender: Sender
  ana: CurrentUser
  luis: CurrentUser
  toby: { id: string; path: string }
  clock: { now: number }
}
/** A suite whose tests each have a sender, a stub of the push service, two members and a dog. */
export function senderSuite(name: string) {
  const sending = suite<Context>(name)
  sending.after(() => rmSync(dataDir, { recursive: true, force: true }))
  sending.before.each(async (t) => {
    t.db = freshDb()
    t.stub = await startPushStub()
    t.clock = { now: NOON }
    const [ana, toby, luis] = await seed(
      t.db,
      member({ alias: 'Ana' }),
      dog({ name: 'Toby' }),
      member({ alias: 'Luis' }),
    )
    Object.assign(t, { ana, toby, luis })
    t.sender = openTestSender(t)
  })
  sending.after.each(async (t) => {
    await t.sender.close()
    t.stub.stop()
    await t.db.destroy()
  })
  return sending
}

export const openTestSender = ({ db, stub, clock }: Context, timeoutMs = 300) =>
  openSender(db, {
    keys: KEYS,
    subject: 'https://perrario.example',
    hosts: [stub.host],
    clock: () => clock.now,
    timeoutMs,
  })

/** Subscribes a device of the member to push messages, in a session of its own. */
export async function subscribeDevice(
  { db, stub, clock }: Context,
  user: CurrentUser,
  name = user.alias.toLowerCase(),
) {
  const { token } = await createSession(db, user.id)
  const session = toSessionId(token)
  await subscribe(db, user, session, stub.device(name), [stub.host], clock.now)
  return { token, session }
}
export const notifyAna = (t: Context, title = 'Aviso', content = 'Hola') =>
  storeNotification(t.db, { userId: t.ana.id, title, content }, t.clock.now)
export const listQueued = async ({ db }: Context) =>
  (await db.selectFrom('push_queue').select(['tries', 'due_at', 'held']).orderBy('due_at').execute()).map((row) => ({
    ...row,
  }))
export const listDevices = async ({ db }: Context) =>
  (await db.selectFrom('push_subscriptions').select('endpoint').orderBy('created_at').execute()).map(({ endpoint }) =>
    endpoint.split('/').at(-1),
  )
export const listBodies = ({ stub }: Context) => stub.received.map(({ message }) => message.body)
