import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '#lib/error-code.ts'
import { getEnv } from './env.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Headers in addition to MAIL_HEADERS. */
  headers?: Record<string, string>
  /** A new one by default. */
  messageId?: string
}

/** Automatic replies (out of office) are unwanted for a sign-in link (RFC 3834 §5). */
const MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Addresses as objects: nodemailer then never parses what a person typed as a list of recipients. */
const envelopeOf = (mail: Mail) => ({
  from: getEnv().mailFrom,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  messageId: mail.messageId,
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
 * Sends a mail through SMTP_URL, or without it writes it to DATA_DIR/outbox. Resolves when the mail server has accepted it or
 * the file is written.
 * @throws the mail server's error
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { smtpUrl, dataDir } = getEnv()
  if (!smtpUrl) return writeToOutbox(mail, dataDir)
  smtp ??= openSmtp(smtpUrl)
  const transport = await smtp
  await transport.sendMail({ ...envelopeOf(mail), text: mail.text, html: mail.html, textEncoding: 'quoted-printable' })
}

/** Signs in to the mail server of SMTP_URL, without a mail. @throws the mail server's error */
export async function checkMailServer(): Promise<void> {
  const transport = await (smtp ??= openSmtp(getEnv().smtpUrl!))
  await transport.verify()
}

/** What nodemailer says of a failure. */
interface MailError {
  name?: string
  code?: string
  command?: string
  responseCode?: number
  message?: string
}

/**
 * How the mail server refused the recipient; null for every other failure. An address outside ASCII may be refused with the
 * sender, by servers without SMTPUTF8.
 */
export function findRecipientRefusal(error: unknown, to: string): 'permanent' | 'temporary' | null {
  const { code, command, responseCode = 0 } = error as MailError
  const isOfRecipient = command === 'RCPT TO' || command === 'API' || (command === 'MAIL FROM' && !isAscii(to))
  if (code !== 'EENVELOPE' || !isOfRecipient) return null
  return responseCode >= 400 && responseCode < 500 ? 'temporary' : 'permanent'
}

/** Whether the mail server will never take a mail to that address. */
export const isRefusedForGood = (error: unknown, to: string): boolean => findRecipientRefusal(error, to) === 'permanent'

/**
 * Whether this mail was refused, by the mail server's answer or before it was sent. False where the connection failed: nodemailer reports a
 * server that cannot be reached or signed in to and one that stalls or hangs up at this recipient alike (command CONN).
 */
export function isMailRefusal(error: unknown): boolean {
  const { code = '', command = '' } = error as MailError
  return /^(EENVELOPE|EMESSAGE)$/.test(code) || /^(MAIL FROM|RCPT TO|DATA|API)$/.test(command)
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** A mail server's error for the log: without its answers to a mail, which quote addresses. */
export function describeMailError(error: unknown): string {
  const { name, code = name, command = '', responseCode, message } = error as MailError
  const isOfMail = !/^(CONN|EHLO|HELO|STARTTLS|AUTH.*)$/.test(command)
  const parts = [code, command, responseCode, isOfMail || responseCode ? undefined : message]
  return parts.filter(Boolean).join(' ')
}

/** True where mails are written to the outbox: sign-in links are then also printed at a terminal. */
export const isMailWrittenToOutbox = (): boolean => !getEnv().smtpUrl

const mimePart = (type: string, body: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}`,
})

/**
 * Writes a .eml file in plain UTF-8. Encoding 8bit, since it never passes a mail server and people and tests read it as it is.
 * Written under a dot name and renamed, so that a program that watches the folder never reads half a mail. Both names are in
 * the outbox: it may be on another disk than DATA_DIR, where a rename fails (EXDEV).
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
  // A recursive call says ENOENT on a read-only disk.
  await mkdir(outbox).catch(async (error: unknown) => {
    if (errorCode(error) === 'ENOENT') await mkdir(outbox, { recursive: true })
    else if (errorCode(error) !== 'EEXIST') throw error
  })
  const name = `${Date.now()}-${randomBytes(6).toString('hex')}`
  const draft = join(outbox, `.mail-${name}`)
  try {
    // Readable by the operator only: it may hold a sign-in link.
    await writeFile(draft, message as Buffer, { mode: 0o600 })
    await rename(draft, join(outbox, `${name}.eml`))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
