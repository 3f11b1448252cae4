import { createStore, get, getMany, keys, promisifyRequest } from 'idb-keyval'
import { SYNC_TAG } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { isDue, type QueuedItem, type QueueTexts } from '#lib/queued-sends.ts'
import { fromStored, toStored } from '#lib/stored-file.client.ts'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'

// What waits on this device for the network, in an IndexedDB of its own, shared by pages and the service worker. Web Locks, which they share,
// keep two from sending at once; without them the Idempotency-Key still makes one of each.

/** Enough for ten photos over a bad network. A stalled request would lock the queue of every tab. */
const SEND_TIMEOUT_MS = 5 * MINUTE_MS
const SESSION_TIMEOUT_MS = 10 * SECOND_MS

export interface QueueOptions<T extends QueuedItem> {
  /** Of its database, its Web Lock, its events and the localStorage key that says that it is not empty. */
  name: string
  store: string
  /** Before an item's id, in the keys of the store. */
  prefix: string
  texts: QueueTexts
  /**
   * Sends an item. @returns it as it is afterwards; it never leaves the queue here
   * @param session the member signed in; null for a visitor
   * @param onProgress gets the share that is sent, 0 to 1
   */
  send: (item: T, session: string | null, onProgress: (share: number) => void) => Promise<T>
}

/** Gets the item that is being sent with the share of it that is; null once it is not being sent any more. */
export type OnSending = (id: string, share: number | null) => void

export type OfflineQueue<T extends QueuedItem> = ReturnType<typeof offlineQueue<T>>

/** A queue of this device. Items may have files beside them. */
export function offlineQueue<T extends QueuedItem>(options: QueueOptions<T>) {
  const { name, texts, send } = options
  const items = openItems<T>(options)
  const lockOf = (id: string) => `${name}/${id}`

  /** The session is asked for each: another member may have signed in while the one before was sent. */
  async function sendOne(item: T, session: string | null, onSending: OnSending): Promise<T> {
    if (item.member !== null && item.member !== session) {
      // Another member's stays as it is. A signed-out member is asked once to sign in.
      if (session !== null || item.state === 'signed-out') return item
      return { ...item, state: 'signed-out', problem: texts.signedOut }
    }
    onSending(item.id, 0)
    return send(item, session, (share) => onSending(item.id, share))
  }

  /**
   * Sends the due items, one after the other.
   * @returns false when a network failure left some unsent
   */
  const sendAll = (onSending: OnSending): Promise<boolean> =>
    withLock(name, async () => {
      let isComplete = true
      for (const { id } of await items.readAll()) {
        let isServerReachable = true
        // A form that edits it sends it itself.
        await withLockIfFree(lockOf(id), async () => {
          // A second read: the person may have edited or discarded it.
          const item = await items.read(id)
          if (!item || !isDue(item, Date.now())) return
          const session = await fetchSignedInId().catch(() => undefined)
          if (session === undefined) return void (isServerReachable = false)
          const after = await sendOne(item, session, onSending)
          if (after !== item) await items.update(after)
          onSending(id, null)
          if (after.state === 'waiting') isComplete = false
        })
        // The others would fail too.
        if (!isServerReachable) return false
      }
      return isComplete
    })

  return {
    name,
    texts,
    ...items,
    sendAll,
    /** Runs `work` while nothing is sent. */
    whileIdle: (work: () => Promise<void>): Promise<void> => withLock(name, work),
    /** Keeps an item from being sent. @returns its release, which leaving the page does as well; null where it is being sent or edited */
    take: (id: string): Promise<(() => void) | null> => takeLock(lockOf(id)),
  }
}

/** The items of a queue in its database. */
function openItems<T extends QueuedItem>({ name, store, prefix, texts }: QueueOptions<T>) {
  let opened: ReturnType<typeof createStore> | undefined
  const database = () => (opened ??= createStore(name, store))
  const keyOf = (id: string) => prefix + id
  const fileKey = (id: string, index: number | string) => `foto/${id}/${index}`
  const filesOf = (id: string) => IDBKeyRange.bound(fileKey(id, ''), fileKey(id, '\uFFFF'))

  /** Changes an item by what is stored, in one transaction: between two, a tab may delete it. */
  const change = (id: string, apply: (stored: T | undefined, items: IDBObjectStore) => void): Promise<void> =>
    database()('readwrite', (items) => {
      const request = items.get(keyOf(id)) as IDBRequest<T | undefined>
      request.addEventListener('success', () => apply(request.result, items))
      return promisifyRequest(items.transaction)
    })

  function deleteFrom(items: IDBObjectStore, id: string): void {
    items.delete(filesOf(id))
    items.delete(keyOf(id))
  }

  return {
    /** The queued item; undefined where it was deleted. */
    read: (id: string): Promise<T | undefined> => get<T>(keyOf(id), database()),
    /** The queued items, oldest first. */
    async readAll(): Promise<T[]> {
      const own = (await keys<string>(database())).filter((key) => key.startsWith(prefix))
      const found = await getMany<T | undefined>(own, database())
      return found.filter((item) => item !== undefined).toSorted((a, b) => a.createdAt - b.createdAt)
    },
    /** The files beside an item that are still stored. @param count how many it was queued with */
    async readFiles(id: string, count: number): Promise<(File | undefined)[]> {
      const names = Array.from({ length: count }, (_, index) => fileKey(id, index))
      return (await getMany<unknown>(names, database())).map((file) => fromStored(file, 'foto.jpg'))
    },
    /**
     * Adds an item, or replaces a queued one, with the files beside it.
     * @returns undefined once it is stored, or the sentence that says why it is not
     */
    async enqueue(item: T, files: readonly File[] = []): Promise<string | undefined> {
      try {
        // Files are read first: a transaction ends while other work is awaited.
        const stored = await Promise.all(files.map(toStored))
        await database()('readwrite', (items) => {
          items.put(item, keyOf(item.id))
          items.delete(filesOf(item.id))
          for (const [index, file] of stored.entries()) items.put(file, fileKey(item.id, index))
          return promisifyRequest(items.transaction)
        })
      } catch (error) {
        console.warn('perrario · could not be queued', error)
        return error instanceof DOMException && error.name === 'QuotaExceededError' ? texts.full : texts.notStored
      }
      try {
        localStorage.setItem(name, '1')
      } catch {
        // This page shows the queue anyway; others need the key.
      }
      await registerSync()
      dispatchEvent(new CustomEvent('perrario:queued', { detail: name }))
      return undefined
    },
    /** Updates an item, unless it was deleted or replaced meanwhile. What was discarded while it was sent is there again: its person is told. */
    update: (item: T): Promise<void> =>
      change(item.id, (stored, items) => {
        const isSame = stored ? stored.createdAt === item.createdAt : item.state === 'sent'
        if (isSame) items.put(item, keyOf(item.id))
      }),
    /** Deletes an item; idempotent. */
    remove: (id: string): Promise<void> => change(id, (_, items) => deleteFrom(items, id)),
    /** Deletes an item, unless it was sent meanwhile: that one stays until a page has notified the person. */
    discard: (id: string): Promise<void> =>
      change(id, (stored, items) => {
        if (stored?.state !== 'sent') deleteFrom(items, id)
      }),
  }
}

/**
 * Sends an item's form by fetch, from a page or the service worker.
 * @param credentials `omit` where it must not become that of a member who has signed in since
 * @throws where there is no answer
 */
export async function postQueued(
  id: string,
  url: string,
  body: FormData,
  credentials: RequestCredentials,
  headers = {},
) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { Accept: 'application/json', 'Idempotency-Key': id, ...headers },
    credentials,
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  })
  return { status: response.status, body: (await response.json().catch(() => null)) as unknown }
}

async function fetchSignedInId(): Promise<string | null> {
  const response = await fetch(paths.api.session, {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(SESSION_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { user: { id: string } | null }).user?.id ?? null
}

/** Has the browser wake the service worker once the network is back. */
async function registerSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration()) as
      | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
      | undefined
    await registration?.sync?.register(SYNC_TAG)
  } catch {
    // Background Sync is refused or missing: the next page that opens sends it.
  }
}

const withLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work()

const withLockIfFree = (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator
    ? navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : undefined))
    : work()

function takeLock(name: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null)
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}
