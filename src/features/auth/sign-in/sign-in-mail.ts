import { escapeHtml } from '#lib/text/html.ts'
import { NEVER_TELL } from './sign-in.ts'
import { mailButton, mailPage } from '#lib/text/mail-page.ts'

export interface MailContent {
  subject: string
  text: string
  html: string
}

/**
 * The mail with link and code. The subject begins with the code, which a notification then shows; the text part has it on a line of its
 * own, for readers and autofill.
 * @param mail.minutes how long both are good for yet
 */
export function buildSignInMail({ link, code, minutes }: { link: string; code: string; minutes: number }): MailContent {
  const text = `¡Hola!

Con este enlace entras en Perrario, el álbum de los perros:

${link}

¿Tienes Perrario instalado o lo abriste en otro aparato? Escribe allí este código:

${code}

${NEVER_TELL}

El enlace y el código valen ${minutes} minutos y sirven una sola vez.

Si no has pedido entrar, no hagas nada: sin ellos nadie entra en tu cuenta.

Hasta ahora,
Perrario
`
  const html = mailPage(
    'Entra en Perrario',
    `<p style="margin:0 0 20px">¡Hola! Con este botón entras en el álbum de los perros:</p>
<p style="margin:0 0 24px">${mailButton(link, 'Entrar en Perrario')}</p>
<p style="margin:0 0 8px">¿Tienes Perrario instalado o lo abriste en otro aparato? Escribe allí este código:</p>
<p style="margin:0 0 24px;font-size:30px;font-weight:800;letter-spacing:6px">${code}</p>
<p style="margin:0 0 12px;font-weight:600">${NEVER_TELL}</p>
<p style="margin:0 0 12px;color:#665547;font-size:14px">El enlace y el código valen ${minutes} minutos y sirven una sola vez.</p>
<p style="margin:0 0 12px;color:#665547;font-size:14px">Si no has pedido entrar, no hagas nada: sin ellos nadie entra en tu cuenta.</p>
<p style="margin:0;color:#665547;font-size:14px;overflow-wrap:anywhere">Si el botón no funciona, copia esta dirección:<br>${escapeHtml(link)}</p>`,
  )
  return { subject: `${code.slice(0, 3)} ${code.slice(3)} es tu código de Perrario`, text, html }
}
