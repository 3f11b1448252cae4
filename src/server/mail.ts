import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getEnv } from './env.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Lines of its head besides the house's own. */
  headers?: Record<string, string>
}

/** Asks robots not to answer: no out-of-office reply comes back for a sign-in link. */
const MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Addresses as objects: nodemailer then never parses what a person typed as a list of recipients. */
const envelopeOf = (mail: Mail) => ({
  from: getEnv().mailFrom,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  headers: { ...MAIL_HEADERS, ...mail.headers },
  disableFileAccess: true,
  disableUrlAccess: true,
})

let smtp: ReturnType<typeof openSmtp> | undefined
async function openSmtp(url: string) {
  const { createTransport } = await loadMailer()
  return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
}

/** With the first mail: a start does without its 40 modules. */
const loadMailer = () => import('nodemailer')

/**
 * Sends through SMTP_URL, or without it puts the mail into DATA_DIR/outbox. Resolves once the mail is out of our hands.
 * @throws what the mail server said
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { smtpUrl, dataDir } = getEnv()
  if (!smtpUrl) return writeToOutbox(mail, dataDir)
  smtp ??= openSmtp(smtpUrl)
  const transport = await smtp
  await transport.sendMail({ ...envelopeOf(mail), text: mail.text, html: mail.html, textEncoding: 'quoted-printable' })
}

/** True where mails end in the outbox: whoever runs the server must then be told what they say. */
export const isMailWrittenToOutbox = (): boolean => !getEnv().smtpUrl

const mimePart = (type: string, body: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
})

/**
 * One .eml of plain UTF-8 (8bit: it never travels through a mail server, and a person or a test can read it as it
 * is). Written under a dot name and renamed, so that whoever watches the folder never sees half a mail. Within the folder:
 * it may be on another disk than DATA_DIR, where a rename does not reach (EXDEV).
 */
async function writeToOutbox(mail: Mail, dataDir: string): Promise<void> {
  const { createTransport } = await loadMailer()
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const { message } = await writer.sendMail({
    ...envelopeOf(mail),
    text: mimePart('text/plain', mail.text),
    html: mimePart('text/html', mail.html),
  })
  const outbox = join(dataDir, 'outbox')
  await mkdir(outbox, { recursive: true })
  const name = `${Date.now()}-${randomBytes(6).toString('hex')}`
  const draft = join(outbox, `.mail-${name}`)
  try {
    // Readable by the operator alone: it signs somebody in.
    await writeFile(draft, message as Buffer, { mode: 0o600 })
    await rename(draft, join(outbox, `${name}.eml`))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
