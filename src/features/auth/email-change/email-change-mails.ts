import { escapeHtml } from '#lib/text/html.ts'
import { mailPage } from '#lib/text/mail-page.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'
import { NEVER_TELL } from '#features/auth/sign-in/sign-in.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'

const SMALL = 'margin:0 0 12px;color:#665547;font-size:14px'

/** The code that confirms a new address, good for `minutes` yet. It has no link: the code is typed where the member is signed in. */
export function buildAddressCodeMail(code: string, minutes: number, alias: string): MailContent {
  const what = `Con este código confirmas que esta dirección es tuya y quieres entrar con ella en la cuenta «${alias}» de Perrario:`
  const life = `El código vale ${minutes} minutos y sirve una sola vez. Escríbelo en «Cuenta y datos». ${NEVER_TELL}`
  const other = 'Si no lo has pedido, no hagas nada: sin el código no cambia nada.'
  const text = `¡Hola!

${what}

${code}

${life}

${other}

Hasta ahora,
Perrario
`
  const html = mailPage(
    'Confirma tu dirección',
    `<p style="margin:0 0 20px">¡Hola! ${escapeHtml(what)}</p>
<p style="margin:0 0 24px;font-size:30px;font-weight:800;letter-spacing:6px">${code}</p>
<p style="${SMALL}">${life}</p>
<p style="${SMALL}">${other}</p>`,
  )
  return { subject: 'Confirma tu dirección en Perrario', text, html }
}

/** Tells a mailbox why nothing has come of somebody's wish to add it. @param state follows «Esta dirección» */
function buildNotAddedMail(state: string, why: string, advice: string): MailContent {
  const what = `Alguien ha querido añadir esta dirección a su cuenta de Perrario, pero ${why}. No ha cambiado nada.`
  const text = `¡Hola!

${what}

${advice}

Hasta ahora,
Perrario
`
  const html = mailPage(
    `Esta dirección ${state}`,
    `<p style="margin:0 0 20px">¡Hola! ${what}</p>
<p style="${SMALL}">${advice}</p>`,
  )
  return { subject: `Esta dirección ${state} en Perrario`, text, html }
}

/** For an address that has an account: only its holder learns that. */
export const buildAddressTakenMail = (): MailContent =>
  buildNotAddedMail(
    'ya tiene cuenta',
    'con ella ya entras en la tuya',
    'Si has sido tú y quieres juntarlas, entra en la otra cuenta con este email y elimínala o cambia allí su dirección. Si no has sido tú, no hagas nada.',
  )

/** For an address that was another account's until lately: only its holder learns that. */
export const buildAddressReservedMail = (): MailContent =>
  buildNotAddedMail(
    'era de otra cuenta',
    'hasta hace poco era de otra, que aún puede recuperarla',
    `Si has sido tú, abre el enlace del mensaje que recibiste cuando cambió, o espera ${UNDO_DAYS} días desde entonces. Si no has sido tú, no hagas nada.`,
  )
