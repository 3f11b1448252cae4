import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { log } from './log/log.ts'
import { incrementCounter } from './counters.ts'
import { NETWORK_SHARE } from './limits/network-share.ts'
import { describeMailError, findRecipientRefusal, isMailRefusal, type Mail } from './mail.ts'

/** The requester of a mail. */
export interface MailSender {
  /** Their network (connections/client-network.ts); the queue counts its site. */
  network: string
  /** The mailbox, where they signed in to it on this device before; null on an unknown device. */
  knownMailbox: string | null
}

/**
 * Mails on their way to the mail server, in memory only: they hold sign-in links. Requests do not wait for them, so neither the
 * status nor the time of an answer depends on whether a mail goes out.
 */
export interface MailQueue {
  /** Whether mails go out: false when the queue is full, and while the mail server fails, whoever the mails are for. */
  isDelivering: () => boolean
  /** Whether the sender's network has room in its share of the queue, whichever mails were sent, and to whatever address. */
  hasRoomFor: (sender: MailSender) => boolean
  /** Queues a mail. Returns false, and queues nothing, when the queue or the sender's share is full. */
  enqueue: (mail: Mail, sender: MailSender) => boolean
  /** Mails that were given up since the last one that the mail server accepted. */
  failedInARow: () => number
  /** Mails that have not ended. */
  size: () => number
  /** Makes a last try for each and resolves when they have ended, at the latest after `closeTimeoutMs`. */
  close: () => Promise<void>
}

export interface MailQueueOptions {
  /** Hands a mail to the mail server. */
  send: (mail: Mail) => Promise<void>
  /** Signs in to the mail server, without a mail. */
  check: () => Promise<void>
  /** Wait before each further try, ms. All together less than a sign-in link is valid. */
  retryDelaysMs?: readonly number[]
  checkIntervalMs?: number
  closeTimeoutMs?: number
  placeHoldMs?: number
}

const RETRY_DELAYS_MS = [5_000, 30_000, 120_000]
/** Between two checks of a mail server that fails. */
const CHECK_INTERVAL_MS = 10_000
const CLOSE_TIMEOUT_MS = 5_000
/** Mails of some 5 kB. */
const MAX_QUEUED_MAILS = 500
/** Of one network: four networks at least fill the queue. */
const MAX_PLACES_PER_NETWORK = MAX_QUEUED_MAILS * NETWORK_SHARE
/**
 * Of these, what is left to the known devices of mailboxes for which none of them has a place yet, one each: neither strangers nor a few
 * accounts use up what a member's network has.
 */
const SPARE_PLACES = 25
/**
 * A mail takes a place of its network's share until it ends, and for this long at least, which is more than all tries take while the
 * mail server answers. Otherwise the moment at which a place is free again would reveal whether a mail went out.
 */
const PLACE_HOLD_MS = 180_000
const MAX_CONNECTIONS = 5
/** Of these, for the mails of one network: addresses at which the mail server stalls hold theirs for 20 s. */
const MAX_CONNECTIONS_PER_NETWORK = 2
/** Failures of the mail server in a row before requests hear of it: one may be a dropped connection. */
const FAILURES_IN_A_ROW = 2

interface Job {
  mail: Mail
  /** The sender's; IPv6: a /48. */
  network: string
  tries: number
  /** Gives its place of the network's share back. */
  release: () => void
}

/** Counts by key, without those that are 0. */
function createTally() {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  return {
    countOf,
    add(key: string, change: 1 | -1): void {
      const count = countOf(key) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

/** Places that the mails of each network take, and there those of each mailbox on known devices. */
function createShares(holdMs: number) {
  const places = createTally()
  const mailboxKey = (site: string, mailbox: string) => `${site} ${mailbox}`

  return {
    hasRoomFor({ network, knownMailbox }: MailSender): boolean {
      const site = toSitePrefix(network)
      const isFirstOfMailbox = knownMailbox !== null && places.countOf(mailboxKey(site, knownMailbox)) === 0
      return places.countOf(site) < MAX_PLACES_PER_NETWORK - (isFirstOfMailbox ? 0 : SPARE_PLACES)
    },
    /** @returns what its mail calls at its end */
    take({ network, knownMailbox }: MailSender): () => void {
      const site = toSitePrefix(network)
      const keys = knownMailbox === null ? [site] : [site, mailboxKey(site, knownMailbox)]
      for (const key of keys) places.add(key, 1)
      // The mail's end, and the hold's.
      let pendingEnds = 2
      const release = () => {
        if (--pendingEnds > 0) return
        for (const key of keys) places.add(key, -1)
      }
      setTimeout(release, holdMs).unref()
      return release
    },
  }
}

/** Whether the mail server works, from the mails that it takes or fails, and from checks while it fails. */
function watchMailServer(check: () => Promise<unknown>, intervalMs: number) {
  let failures = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const isFailing = () => failures >= FAILURES_IN_A_ROW

  function noteSuccess(): void {
    if (isFailing()) log().write('info', 'el correo vuelve a salir')
    failures = 0
    clearTimeout(timer)
    timer = undefined
  }

  function noteFailure(error: unknown): void {
    failures++
    if (failures === FAILURES_IN_A_ROW) log().write('error', `el correo no sale: ${describeMailError(error)}`)
    scheduleCheck()
  }

  function scheduleCheck(): void {
    if (!isClosed) timer ??= setTimeout(checkServer, intervalMs).unref()
  }

  /** Requests add no mail while the server fails: without checks nothing would notice that it works again. */
  async function checkServer(): Promise<void> {
    try {
      await check()
      noteSuccess()
    } catch (error) {
      clearTimeout(timer)
      timer = undefined
      noteFailure(error)
    }
  }

  return {
    isFailing,
    noteSuccess,
    noteFailure,
    scheduleCheck,
    checkServer,
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

export function openMailQueue({
  send,
  check,
  retryDelaysMs = RETRY_DELAYS_MS,
  checkIntervalMs = CHECK_INTERVAL_MS,
  closeTimeoutMs = CLOSE_TIMEOUT_MS,
  placeHoldMs = PLACE_HOLD_MS,
}: MailQueueOptions): MailQueue {
  const ready: Job[] = []
  const shares = createShares(placeHoldMs)
  const server = watchMailServer(check, checkIntervalMs)
  /** Jobs that wait for their next try. */
  const delayed = new Map<Job, NodeJS.Timeout>()
  const connectionsByNetwork = createTally()
  let size = 0
  let connections = 0
  let failedMails = 0
  let isClosing = false
  const drained = Promise.withResolvers<void>()

  function startReady(): void {
    while (connections < MAX_CONNECTIONS) {
      const job = takeNext()
      if (!job) return
      connections++
      connectionsByNetwork.add(job.network, 1)
      void attempt(job).finally(() => {
        connections--
        connectionsByNetwork.add(job.network, -1)
        startReady()
      })
    }
  }

  /** The first job of those whose network has the fewest connections. */
  function takeNext(): Job | undefined {
    let next = -1
    let fewest = MAX_CONNECTIONS_PER_NETWORK
    for (const [i, { network }] of ready.entries()) {
      if (fewest <= 0) break
      const connectionsOfNetwork = connectionsByNetwork.countOf(network)
      if (connectionsOfNetwork >= fewest) continue
      next = i
      fewest = connectionsOfNetwork
    }
    return next === -1 ? undefined : ready.splice(next, 1)[0]
  }

  async function attempt(job: Job): Promise<void> {
    try {
      await send(job.mail)
      server.noteSuccess()
      end(job, 'sent')
    } catch (error) {
      const refusal = findRecipientRefusal(error, job.mail.to)
      await noteFailure(error)
      const delayMs = retryDelaysMs[job.tries++]
      if (refusal === 'permanent' || delayMs === undefined || isClosing) return giveUp(job, error)
      delayed.set(job, setTimeout(retry, delayMs, job).unref())
    }
  }

  /** A stranger chooses the address: what becomes of its mail says nothing about the others, and a check does. */
  async function noteFailure(error: unknown): Promise<void> {
    if (isMailRefusal(error)) server.scheduleCheck()
    else if (!isClosing) await server.checkServer()
  }

  function retry(job: Job): void {
    clearTimeout(delayed.get(job))
    delayed.delete(job)
    ready.push(job)
    startReady()
  }

  function giveUp(job: Job, error: unknown): void {
    if (job.mail)
      log().write('error', `un mensaje no se pudo enviar: ${describeMailError(error)}`, { tries: job.tries })
    end(job, 'failed')
  }

  function end({ mail, release }: Job, outcome: 'sent' | 'failed'): void {
    if (mail) {
      incrementCounter('mails', outcome)
      failedMails = outcome === 'sent' ? 0 : failedMails + 1
    }
    release()
    if (--size === 0) drained.resolve()
  }

  return {
    isDelivering: () => !server.isFailing() && size < MAX_QUEUED_MAILS,
    hasRoomFor: shares.hasRoomFor,
    enqueue(mail, sender) {
      if (size >= MAX_QUEUED_MAILS || !shares.hasRoomFor(sender)) return false
      size++
      ready.push({ mail, network: toSitePrefix(sender.network), tries: 0, release: shares.take(sender) })
      // After the answer of the request.
      setImmediate(startReady)
      return true
    },
    failedInARow: () => failedMails,
    size: () => size,
    async close() {
      isClosing = true
      server.close()
      for (const job of delayed.keys()) retry(job)
      if (size === 0) return
      const timer = setTimeout(drained.resolve, closeTimeoutMs)
      await drained.promise
      clearTimeout(timer)
      if (size > 0) log().write('error', 'quedan mensajes sin enviar', { mails: size })
    },
  }
}
