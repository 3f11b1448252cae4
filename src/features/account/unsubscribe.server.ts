import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { isMailedAbout, stopMailsAbout } from '#features/contact/relay/mail-wishes.server.ts'
import { readLostAlerts, stopAlertMails } from '#features/lost/alerts/alert-settings.server.ts'
import { setDigestEnabled, wantsDigest } from '#features/notifications/digest/digest.server.ts'
import { peekSecret, type Secret, useSecret } from '#features/secrets/secrets.server.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { findCode } from '#lib/text/typed-code.ts'

/** What the page of a mail's last link says. */
interface Words {
  title: string
  text: string
  /** What its button says, or where a link leads. */
  button: string
  href?: string
}
interface Mails {
  isOn: (db: Db, secret: Secret) => Promise<boolean>
  /** Idempotent. */
  stop: (trx: Trx, secret: Secret, now: number) => Promise<void>
  on: Words
  off: Words
}

/** The mails that somebody can end, by the kind of their links. */
const MAILS: Record<'digest-mails' | 'lost-mails' | 'message-mails', Mails> = {
  'digest-mails': {
    isOn: (db, { user_id }) => wantsDigest(db, user_id!),
    stop: (trx, { user_id }) => setDigestEnabled(trx, user_id!, false),
    on: {
      title: '¿Sin resumen semanal?',
      text: 'No te escribiremos más lo que tienes sin ver. Tu cuenta sigue igual.',
      button: 'No recibir más resúmenes',
    },
    off: {
      title: 'Hecho: no recibirás más resúmenes',
      text: 'Si cambias de idea, los enciendes en tu cuenta.',
      button: 'Ir a mi cuenta',
      href: paths.notices,
    },
  },
  'lost-mails': {
    isOn: async (db, { user_id }) => (await readLostAlerts(db, user_id!))?.by_mail === true,
    stop: (trx, { user_id }) => stopAlertMails(trx, user_id!),
    on: {
      title: '¿Sin emails de perros perdidos?',
      text: 'No te escribiremos más cuando se pierda un perro cerca. Los avisos de la campana siguen.',
      button: 'No recibir más emails',
    },
    off: {
      title: 'Hecho: no recibirás más emails de perros perdidos',
      text: 'Si cambias de idea, los enciendes aquí.',
      button: 'Ir a mis avisos',
      href: lostPaths.lostAlerts,
    },
  },
  'message-mails': {
    isOn: (db, { about }) => isMailedAbout(db, about),
    stop: (trx, { about }, now) => stopMailsAbout(trx, about, now),
    on: {
      title: '¿Ya no te avisamos?',
      text: 'No te escribiremos más cuando haya mensajes nuevos en esta conversación, que sigue abierta.',
      button: 'No me avises más',
    },
    off: {
      title: 'No te avisaremos más',
      text: 'Si cambias de idea, pídelos en la conversación.',
      button: 'Mis mensajes',
      href: lostPaths.conversations,
    },
  },
}
const KINDS = Object.keys(MAILS) as (keyof typeof MAILS)[]
/** The token in an address, which may have been pasted with words around it. */
const findToken = (typed: string): string => findCode(typed, /^[\w-]{32,43}$/) ?? ''
const mailsOf = ({ kind }: Secret): Mails => MAILS[kind as keyof typeof MAILS]

const UNKNOWN: Words = {
  title: 'Este enlace no vale',
  text: 'Puede que ya no recibas estos emails o que falte un trozo de la dirección.',
  button: 'Ir al inicio',
  href: paths.home,
}

/** What a mail's link leads to. Opening it changes nothing, because mail scanners open it, too. */
export async function readUnsubscription(
  db: Db,
  token: string,
  now = Date.now(),
): Promise<Words & { state: 'on' | 'off' | 'unknown' }> {
  const secret = await peekSecret(db, KINDS, findToken(token), now)
  if (!secret) return { state: 'unknown', ...UNKNOWN }
  const state = (await mailsOf(secret).isOn(db, secret)) ? 'on' : 'off'
  return { state, ...mailsOf(secret)[state] }
}

/** Ends the mails that `token` came with, for whom they were sent to; idempotent. @returns false for an unknown token */
export const unsubscribeByToken = (db: Db, token: string, now = Date.now()): Promise<boolean> =>
  transact(db, async (trx) => {
    const secret = await useSecret(trx, KINDS, findToken(token), now)
    if (secret) await mailsOf(secret).stop(trx, secret, now)
    return secret !== undefined
  })
