import { DISPUTE_TEXTS } from '#features/auth/dispute/dispute.ts'
import { formatDate } from '#lib/dates.ts'
import { type MailContent, writeMail } from '#lib/text/mail-page.ts'

/** Says that an account waits for its deletion, with the link that undoes it. */
export function buildDeletionMail({ link, alias, dueAt }: { link: string; alias: string; dueAt: number }): MailContent {
  const date = formatDate(dueAt)
  return writeMail(`Tu cuenta de Perrario se borrará el ${date}`, `Tu cuenta se borrará el ${date}`, [
    `Has pedido borrar la cuenta «${alias}» de Perrario. Desde ahora nadie ve nada tuyo, y el ${date} se borra para siempre.`,
    `Si cambias de idea, o si no has sido tú, hasta entonces puedes recuperarla con todo lo tuyo. ${DISPUTE_TEXTS.effect}`,
    { link, label: 'Recuperar mi cuenta' },
    { small: 'También puedes recuperarla entrando como siempre. Si quieres borrarla, no hagas nada.' },
  ])
}

/** Says that an account has been deleted at once. */
export function buildErasureMail(): MailContent {
  const title = 'Tu cuenta de Perrario se ha eliminado'
  const text = 'Has pedido borrar tu cuenta ahora mismo, y ya no se puede recuperar.'
  return writeMail(title, title, [{ text, html: `${text} ¡Hasta siempre!` }], '¡Hasta siempre!\n')
}
