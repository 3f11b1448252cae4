import { formatDate } from '#lib/dates.ts'
import { DISPUTE_TEXTS } from '#features/auth/dispute/dispute.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage } from '#lib/text/mail-page.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'

const SMALL = 'margin:0 0 12px;color:#665547;font-size:14px'

/** Says that an account waits for its deletion, with the link that undoes it. */
export function buildDeletionMail({ link, alias, dueAt }: { link: string; alias: string; dueAt: number }): MailContent {
  const date = formatDate(dueAt)
  const what = `Has pedido borrar la cuenta «${alias}» de Perrario. Desde ahora nadie ve nada tuyo, y el ${date} se borra para siempre.`
  const undo = `Si cambias de idea, o si no has sido tú, hasta entonces puedes recuperarla con todo lo tuyo. ${DISPUTE_TEXTS.effect}`
  const other = 'También puedes recuperarla entrando como siempre. Si quieres borrarla, no hagas nada.'
  const text = `¡Hola!

${what}

${undo}

${link}

${other}

Hasta ahora,
Perrario
`
  const html = mailPage(
    `Tu cuenta se borrará el ${date}`,
    `<p style="margin:0 0 20px">¡Hola! ${escapeHtml(what)}</p>
<p style="margin:0 0 20px">${undo}</p>
<p style="margin:0 0 24px">${mailButton(link, 'Recuperar mi cuenta')}</p>
<p style="${SMALL}">${other}</p>
<p style="${SMALL};overflow-wrap:anywhere">Si el botón no funciona, copia esta dirección:<br>${escapeHtml(link)}</p>`,
  )
  return { subject: `Tu cuenta de Perrario se borrará el ${date}`, text, html }
}

/** Says that an account has been deleted at once. */
export function buildErasureMail(): MailContent {
  const title = 'Tu cuenta de Perrario se ha eliminado'
  const what = 'Has pedido borrar tu cuenta ahora mismo, y ya no se puede recuperar.'
  const text = `¡Hola!\n\n${what}\n\n¡Hasta siempre!\nPerrario\n`
  return {
    subject: title,
    text,
    html: mailPage(title, `<p style="margin:0 0 20px">¡Hola! ${what} ¡Hasta siempre!</p>`),
  }
}
