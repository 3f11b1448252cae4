import { escapeHtml } from '#lib/text/html.ts'
import { mailButton, mailPage } from '#lib/text/mail-page.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { ANSWER_DAYS } from './lost.ts'

/** Asks a lost dog's owner whether it is still lost. @param link the page with the answers */
export function buildQuestionMail({ dogName, link }: { dogName: string; link: string }) {
  const question = `¿Ha vuelto ya ${dogInSentence(dogName)}?`
  const text = `Si sigue perdido, dínoslo y seguimos buscando. Si ya está en casa, ¡cuéntanoslo! Si no nos dices nada, al final retiramos el aviso: ${ANSWER_DAYS} días después de la última vez que te preguntemos.`
  return {
    subject: question,
    text: `¡Hola!

${question}

${text}

${link}

Ánimo, y hasta ahora,
Perrario
`,
    html: mailPage(
      escapeHtml(question),
      `<p style="margin:0 0 12px;font-weight:700">${escapeHtml(question)}</p>
<p style="margin:0 0 20px">${text}</p>
<p style="margin:0 0 24px">${mailButton(link, 'Responder')}</p>`,
    ),
  }
}
