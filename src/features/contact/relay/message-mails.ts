import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage, unsubscribeHeaders } from '#lib/text/mail-page.ts'
import { CONFIRM_HOURS } from '../contact.ts'

const NAMELESS_DOG = 'un perro encontrado'

const WHERE = 'Si avisaste sin cuenta, ábrelo en el navegador desde el que lo hiciste.'

/** Builds the mail that somebody has written: no word of the message, and nobody's name but the dog's. @param site the public origin */
export function buildMessageMail(
  site: string,
  { dog, threadId, token }: { dog: string | null; threadId: string; token: string },
) {
  const subject = `Tienes un mensaje sobre ${dog ?? NAMELESS_DOG}`
  const page = site + lostPaths.messages(threadId)
  const leave = site + paths.unsubscribe(token)
  const advice = 'No pagues nunca por adelantado, y no abras enlaces de quien no conoces.'
  const text = `¡Hola!

${subject}. Léelo y responde aquí:

${page}

${WHERE}

${advice}

Para que no te avisemos más de esta conversación:
${leave}

Hasta pronto,
Perrario
`
  const html = mailPage(
    escapeHtml(subject),
    `<p style="margin:0 0 12px;font-weight:700;overflow-wrap:anywhere">${escapeHtml(subject)}.</p>
<p style="margin:0 0 20px">${WHERE}</p>
<p style="margin:0 0 24px">${mailButton(page, 'Leer y responder')}</p>
<p style="margin:0 0 20px">${advice}</p>
<p style="margin:0;color:#665547;font-size:14px"><a href="${escapeHtml(leave)}" style="color:#665547">No me avises más</a></p>`,
  )
  return { subject, text, html, headers: unsubscribeHeaders(site, token) }
}

/** Asks whether the address is whose it says. @param site the public origin */
export function buildConfirmMail(site: string, { dog, token }: { dog: string | null; token: string }) {
  const subject = 'Confirma tu correo para recibir avisos'
  const link = site + lostPaths.confirmMails(token)
  const what = `Alguien ha pedido que avisemos a esta dirección cuando haya mensajes sobre ${dog ?? NAMELESS_DOG}. Si has sido tú, confírmalo: el enlace vale ${CONFIRM_HOURS} horas.`
  const rest = 'Si no has sido tú, no hagas nada: no te escribiremos.'
  return {
    subject,
    text: `¡Hola!

${what}

${link}

${rest}

Hasta pronto,
Perrario
`,
    html: mailPage(
      escapeHtml(subject),
      `<p style="margin:0 0 20px;overflow-wrap:anywhere">${escapeHtml(what)}</p>
<p style="margin:0 0 24px">${mailButton(link, 'Confirmar')}</p>
<p style="margin:0">${rest}</p>`,
    ),
  }
}
