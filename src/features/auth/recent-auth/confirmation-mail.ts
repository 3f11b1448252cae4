import { mailPage } from '#lib/text/mail-page.ts'
import { NEVER_TELL } from '#features/auth/sign-in/sign-in.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'

/** The mail with the code that confirms the member's identity, good for `minutes` yet. It has no link, and its code signs nobody in. */
export function buildConfirmationMail(code: string, minutes: number): MailContent {
  const what =
    'Con este código confirmas que eres tú, para descargar tus datos, cambiar cómo entras o eliminar tu cuenta de Perrario:'
  const life = `El código vale ${minutes} minutos y sirve una sola vez. Escríbelo solo en la página en la que lo has pedido. ${NEVER_TELL}`
  const other = 'Si no lo has pedido, alguien está usando una sesión tuya: ciérralas todas en «Cuenta y datos».'
  const text = `¡Hola!

${what}

${code}

${life}

${other}

Hasta ahora,
Perrario
`
  const html = mailPage(
    'Confirma que eres tú',
    `<p style="margin:0 0 20px">¡Hola! ${what}</p>
<p style="margin:0 0 24px;font-size:30px;font-weight:800;letter-spacing:6px">${code}</p>
<p style="margin:0 0 12px;color:#665547;font-size:14px">${life}</p>
<p style="margin:0;color:#665547;font-size:14px">${other}</p>`,
  )
  return { subject: 'Tu código para confirmar en Perrario', text, html }
}
