import { UNDO_DAYS } from '#features/auth/auth.ts'
import { type MailContent, writeMail } from '#lib/text/mail-page.ts'
import { NEVER_TELL } from './sign-in.ts'

export type { MailContent } from '#lib/text/mail-page.ts'

/**
 * The mail with link and code. The subject begins with the code, which a notification then shows; the text part has it on a line of its
 * own, for readers and autofill.
 * @param mail.minutes how long both are good for yet
 */
export const buildSignInMail = ({
  link,
  code,
  minutes,
}: {
  link: string
  code: string
  minutes: number
}): MailContent =>
  writeMail(`${code.slice(0, 3)} ${code.slice(3)} es tu código de Perrario`, 'Entra en Perrario', [
    {
      text: 'Con este enlace entras en Perrario, el álbum de los perros:',
      html: 'Con este botón entras en el álbum de los perros:',
    },
    { link, label: 'Entrar en Perrario' },
    '¿Tienes Perrario instalado o lo abriste en otro aparato? Escribe allí este código:',
    { code },
    { text: NEVER_TELL, html: `<b style="font-weight:600">${NEVER_TELL}</b>` },
    { small: `El enlace y el código valen ${minutes} minutos y sirven una sola vez.` },
    { small: 'Si no has pedido entrar, no hagas nada: sin ellos nadie entra en tu cuenta.' },
  ])

const life = (minutes: number, where: string): string =>
  `El código vale ${minutes} minutos y sirve una sola vez. ${where} ${NEVER_TELL}`

/** The mail with the code that confirms the member's identity, good for `minutes` yet. It has no link, and its code signs nobody in. */
export const buildConfirmationMail = (code: string, minutes: number): MailContent =>
  writeMail('Tu código para confirmar en Perrario', 'Confirma que eres tú', [
    'Con este código confirmas que eres tú, para descargar tus datos, cambiar cómo entras o eliminar tu cuenta de Perrario:',
    { code },
    { small: life(minutes, 'Escríbelo solo en la página en la que lo has pedido.') },
    { small: 'Si no lo has pedido, alguien está usando una sesión tuya: ciérralas todas en «Cuenta y datos».' },
  ])

/** The code that confirms a new address, good for `minutes` yet. It has no link: the code is typed where the member is signed in. */
export const buildAddressCodeMail = (code: string, minutes: number, alias: string): MailContent =>
  writeMail('Confirma tu dirección en Perrario', 'Confirma tu dirección', [
    `Con este código confirmas que esta dirección es tuya y quieres entrar con ella en la cuenta «${alias}» de Perrario:`,
    { code },
    { small: life(minutes, 'Escríbelo en «Cuenta y datos».') },
    { small: 'Si no lo has pedido, no hagas nada: sin el código no cambia nada.' },
  ])

/** Why nothing has come of somebody's wish to add an address: it has an account, or was another's until lately. Only its holder learns that. */
const NOT_ADDED = {
  taken: [
    'ya tiene cuenta',
    'con ella ya entras en la tuya',
    'Si has sido tú y quieres juntarlas, entra en la otra cuenta con este email y elimínala o cambia allí su dirección. Si no has sido tú, no hagas nada.',
  ],
  reserved: [
    'era de otra cuenta',
    'hasta hace poco era de otra, que aún puede recuperarla',
    `Si has sido tú, abre el enlace del mensaje que recibiste cuando cambió, o espera ${UNDO_DAYS} días desde entonces. Si no has sido tú, no hagas nada.`,
  ],
} as const

/** Tells a mailbox that it was not added to somebody's account. */
export function buildNotAddedMail(reason: keyof typeof NOT_ADDED): MailContent {
  const [state, why, small] = NOT_ADDED[reason]
  return writeMail(`Esta dirección ${state} en Perrario`, `Esta dirección ${state}`, [
    `Alguien ha querido añadir esta dirección a su cuenta de Perrario, pero ${why}. No ha cambiado nada.`,
    { small },
  ])
}

/** The mail by which an operator sees that the mail server works. @param site the site's address */
export function buildTestMail(site: string): MailContent {
  const sentence = `Si lees esto, el correo de ${site} funciona: los enlaces para entrar llegarán igual.`
  return writeMail('Prueba del correo de Perrario', 'El correo funciona', [sentence], '')
}
