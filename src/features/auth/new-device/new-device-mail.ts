import { UNDO_DAYS } from '#features/auth/auth.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { DISPUTE_TEXTS } from '#features/auth/dispute/dispute.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { type MailContent, writeMail } from '#lib/text/mail-page.ts'
import { describeAlert, isSignIn, type NamedAlert } from './new-device.ts'

const REMOVALS = ['passkey-removed', 'provider-unlinked']

/** Alerts that a mail lists; it counts the others. */
const MAX_LISTED = 10

interface AlertMail {
  siteBase: string
  alias: string
  alerts: readonly NamedAlert[]
  /** The secret of the link that puts the account in dispute. */
  token: string
}

/**
 * Builds the mail about sign-ins on new devices, ways in that were added or removed and changes of address, with the link by which the member says that
 * it was not they. Who reads an old mailbox learns no new address.
 */
export function buildAlertMail({ siteBase, alias, alerts, token }: AlertMail): MailContent {
  const isMoved = alerts.some(({ event }) => event === 'email-changed')
  const link = siteBase + (isMoved ? authPaths.undo(token) : authPaths.disown(token))
  const title = isMoved
    ? 'Ha cambiado el email de tu cuenta'
    : alerts.every(isSignIn)
      ? 'Dispositivo nuevo en tu cuenta'
      : alerts.some(({ event }) => !REMOVALS.includes(event))
        ? 'Otra forma de entrar en tu cuenta'
        : 'Una forma menos de entrar en tu cuenta'
  const what = !alerts.every(isSignIn)
    ? `Esto ha pasado en la cuenta «${alias}» de Perrario:`
    : alerts.length === 1
      ? `Se ha entrado en la cuenta «${alias}» de Perrario desde un dispositivo nuevo:`
      : `Se ha entrado ${alerts.length} veces en la cuenta «${alias}» de Perrario desde dispositivos nuevos:`
  const listed = alerts.slice(0, MAX_LISTED).map((alert) => `${describeAlert(alert)} (hora de Madrid)`)
  const more = alerts.length - listed.length
  const lines = more > 0 ? [...listed, `y ${more} más`] : listed
  const advice = `Si has sido tú, no hagas nada. Si no, tienes ${UNDO_DAYS} días para ${isMoved ? 'deshacerlo' : 'decirlo'}. ${DISPUTE_TEXTS.effect}`
  return writeMail(`${title} de Perrario`, title, [
    what,
    { text: lines.map((line) => `· ${line}`).join('\n'), html: `<b>${lines.map(escapeHtml).join('<br>')}</b>` },
    advice,
    { link, label: 'No he sido yo' },
  ])
}
