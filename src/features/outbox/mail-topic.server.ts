import { createHash } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { MINUTE_MS } from '#lib/time.ts'
import type { Job } from './jobs.server.ts'
import type { ActingTopic } from './outbox.server.ts'

/** Mails that a topic sends in a minute. */
const MAILS_PER_MINUTE = 50
/** A mail that the mail server refused for now is tried again after so long, ms. */
const RETRY_DELAY_MS = 15 * MINUTE_MS
/** The pause after a failure of the mail server, ms. */
const FAILURE_PAUSE_MS = 10 * MINUTE_MS

export interface OutgoingMail {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  messageId?: string
}

/** How the site sends mails. */
export interface Mailer {
  /** The public origin, for the links. */
  siteUrl: string
  /** @throws the mail server's error */
  send: (mail: OutgoingMail) => Promise<void>
  /** Whether the mail server will never take a mail to that address. */
  isRefused: (error: unknown, to: string) => boolean
  /** Whether the mail server refused this mail alone, if only for now: it may take the next. */
  isMailRefusal: (error: unknown) => boolean
}

interface MailTopic {
  name: string
  failure: string
  maxAgeMs: number
  /** What the mail is now, by its token; null where there is nothing to say any more, a time (ms) where it is not due yet. */
  compose: (
    db: Db,
    job: Job,
    siteUrl: string,
    now: number,
  ) => Promise<((token: string) => OutgoingMail) | number | null>
  /** Issues the secret of the link that ends these mails. */
  issueToken: (trx: Trx, job: Job, now: number) => Promise<string>
  /** Notes that it has gone out. */
  onSent?: (trx: Trx, job: Job, now: number) => Promise<unknown>
  /** Notes that its address does not exist. */
  onRefused?: (trx: Trx, job: Job) => Promise<unknown>
}

/** The same for each try of a job: of two copies, which a crash may leave, mailboxes show one. */
function messageIdOf({ topic, key, queuedAt, version }: Job, siteUrl: string): string {
  const digest = createHash('sha256').update(`${topic}\n${key}\n${queuedAt}\n${version}`).digest('base64url')
  return `<${digest}@${new URL(siteUrl).hostname}>`
}

/**
 * A topic of mails, one a job. One that the mail server refuses for now waits while the others go on; one that it refuses for good is
 * dropped; where the server fails they all wait. One that a crash repeats has the same Message-ID.
 * @param mailer null where the site has no address for their links: they are dropped
 */
export const mailTopic = (
  mailer: Mailer | null,
  { name, failure, maxAgeMs, compose, issueToken, onSent, onRefused }: MailTopic,
): ActingTopic => ({
  name,
  failure,
  maxAgeMs,
  perMinute: MAILS_PER_MINUTE,
  pauseMs: (error) => (mailer?.isMailRefusal(error) ? 0 : FAILURE_PAUSE_MS),
  retryMs: (error) => (mailer?.isMailRefusal(error) ? RETRY_DELAY_MS : undefined),
  async run(db, job, { now }) {
    if (!mailer) return 'done'
    const write = await compose(db, job, mailer.siteUrl, now)
    if (write === null) return 'done'
    if (typeof write === 'number') return { at: write }
    const mail = write(await transact(db, (trx) => issueToken(trx, job, now)))
    try {
      await mailer.send({ ...mail, messageId: messageIdOf(job, mailer.siteUrl) })
    } catch (error) {
      if (!mailer.isRefused(error, mail.to)) throw error
      if (onRefused) await transact(db, (trx) => onRefused(trx, job))
      return 'done'
    }
    if (onSent) await transact(db, (trx) => onSent(trx, job, now))
    return 'done'
  },
})
