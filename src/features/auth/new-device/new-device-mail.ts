import { authPaths } from '#features/auth/auth-paths.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage } from '#lib/text/mail-page.ts'
import { DISOWN_DAYS, describeSignIn, type NewDeviceSignIn } from './new-device.ts'

const SMALL = 'margin:0 0 12px;color:#665547;font-size:14px'

/** Sign-ins that a mail lists; it counts the others. */
const MAX_LISTED = 10

export interface NewDeviceMail {
  siteBase: string
  alias: string
  signIns: readonly NewDeviceSignIn[]
  /** The secret of the link that ends these sessions. */
  token: string
}

/** Builds the mail about sign-ins on new devices, with the link by which the member says that it was not they. */
export function buildNewDeviceMail({ siteBase, alias, signIns, token }: NewDeviceMail): MailContent {
  const link = siteBase + authPaths.disown(token)
  const isOne = signIns.length === 1
  const what = isOne
    ? `Se ha entrado en la cuenta «${alias}» de Perrario desde un dispositivo nuevo:`
    : `Se ha entrado ${signIns.length} veces en la cuenta «${alias}» de Perrario desde dispositivos nuevos:`
  const listed = signIns.slice(0, MAX_LISTED).map((signIn) => `${describeSignIn(signIn)} (hora de Madrid)`)
  const more = signIns.length - listed.length
  const lines = more > 0 ? [...listed, `y ${more} más`] : listed
  const advice = `Si has sido tú, no hagas nada. Si no, tienes ${DISOWN_DAYS} días para decirlo: ${
    isOne
      ? 'se cierra esa sesión y olvidamos ese dispositivo.'
      : 'se cierran esas sesiones y olvidamos esos dispositivos.'
  }`
  const text = `¡Hola!

${what}

${lines.map((line) => `· ${line}`).join('\n')}

${advice}

${link}

Hasta ahora,
Perrario
`
  const html = mailPage(
    'Dispositivo nuevo en tu cuenta',
    `<p style="margin:0 0 12px">¡Hola! ${escapeHtml(what)}</p>
<p style="margin:0 0 20px;font-weight:700">${lines.map(escapeHtml).join('<br>')}</p>
<p style="margin:0 0 20px">${advice}</p>
<p style="margin:0 0 24px">${mailButton(link, 'No he sido yo')}</p>
<p style="${SMALL};overflow-wrap:anywhere">Si el botón no funciona, copia esta dirección:<br>${escapeHtml(link)}</p>`,
  )
  return { subject: 'Dispositivo nuevo en tu cuenta de Perrario', text, html }
}
