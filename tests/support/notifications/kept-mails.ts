import type { Mailer, OutgoingMail } from '#features/outbox/mail-topic.server.ts'

/** A mailer that delivers nothing: its mails are in `sent`. */
export const keptMails = (siteUrl = 'https://perrario.example') => {
  const sent: OutgoingMail[] = []
  const send = async (mail: OutgoingMail): Promise<void> => void sent.push(mail)
  const mailer: Mailer = { siteUrl, send, isRefused: () => false, isMailRefusal: () => false }
  return { sent, mailer }
}
