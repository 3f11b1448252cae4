import type { Db } from '#db/client.ts'
import { type PushKeys, readPushKeys } from './vapid-keys.server.ts'
import { openSender, type Sender } from './sender.server.ts'

interface PushServiceSettings {
  dataDir: string
  siteUrl: string | undefined
  mailFrom: string
  adminEmail: string | undefined
  pushHosts: readonly string[]
}

/** The contact for push services (RFC 8292 §2.1). */
export const vapidSubject = ({
  siteUrl,
  adminEmail,
  mailFrom,
}: Omit<PushServiceSettings, 'dataDir' | 'pushHosts'>): string =>
  siteUrl?.startsWith('https:')
    ? siteUrl
    : `mailto:${adminEmail ?? /[^\s<>@]{1,64}@[^\s<>]+/.exec(mailFrom)?.[0] ?? 'perrario@localhost'}`

/** Starts the sender; null without usable keys, when nothing is sent and everything else works. */
export function startPush(db: Db, settings: PushServiceSettings, log: (text: string) => void): Sender | null {
  let keys: PushKeys
  try {
    keys = readPushKeys(settings.dataDir)
  } catch (error) {
    log(`no hay avisos en los dispositivos: ${(error as Error).message}`)
    return null
  }
  return openSender(db, { keys, subject: vapidSubject(settings), hosts: settings.pushHosts })
}
