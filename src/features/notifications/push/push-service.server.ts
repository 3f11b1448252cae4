import type { Db } from '#db/client.ts'
import { loadPushKeys, type PushKeys } from './vapid-keys.server.ts'
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
export async function startPush(
  db: Db,
  settings: PushServiceSettings,
  log: (text: string) => void,
): Promise<Sender | null> {
  let keys: PushKeys
  try {
    keys = await loadPushKeys(db, settings.dataDir, log)
  } catch (error) {
    log(`no hay avisos en los dispositivos: ${(error as Error).message}`)
    return null
  }
  return openSender(db, { keys, subject: vapidSubject(settings), hosts: settings.pushHosts })
}
