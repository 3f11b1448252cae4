import { escapeHtml } from '#lib/text/html.ts'
import { mailPage } from '#lib/text/mail-page.ts'
import type { MailContent } from './sign-in-mail.ts'

/** The mail by which an operator sees that the mail server works. @param site the site's address */
export function buildTestMail(site: string): MailContent {
  const sentence = `Si lees esto, el correo de ${site} funciona: los enlaces para entrar llegarán igual.`
  return {
    subject: 'Prueba del correo de Perrario',
    text: `¡Hola!\n\n${sentence}\n\nPerrario\n`,
    html: mailPage('El correo funciona', `<p style="margin:0">${escapeHtml(sentence)}</p>`),
  }
}
