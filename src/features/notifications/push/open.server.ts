import type { Db } from '#db/client.ts'
import { type PushKeys, readPushKeys } from './keys.server.ts'
import { openSender, type Sender } from './sender.server.ts'

interface PushSettings {
  dataDir: string
  siteUrl: string | undefined
  mailFrom: string
  adminEmail: string | undefined
  pushHosts: readonly string[]
}

/** Whom push services may write to when something is wrong; they want one. */
export const subjectOf = ({ siteUrl, adminEmail, mailFrom }: Omit<PushSettings, 'dataDir' | 'pushHosts'>): string =>
  siteUrl?.startsWith('https:')
    ? siteUrl
    : `mailto:${adminEmail ?? /[^\s<>@]{1,64}@[^\s<>]+/.exec(mailFrom)?.[0] ?? 'perrario@localhost'}`

/** Begins to send; without keys nothing is sent, and everything else works. */
export function openPush(db: Db, settings: PushSettings, say: (text: string) => void): Sender | null {
  let keys: PushKeys
  try {
    keys = readPushKeys(settings.dataDir)
  } catch (error) {
    say(`no hay avisos en los dispositivos: ${(error as Error).message}`)
    return null
  }
  return openSender(db, { keys, subject: subjectOf(settings), hosts: settings.pushHosts })
}
