import { localMemberId } from '#lib/local-member.client.ts'
import { QUEUE_CHANNEL } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { isListedFor, mayOpen, nextTryDelay, type QueuedItem, resetForRetry } from '#lib/queued-sends.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import type { OfflineQueue, OnSending } from './offline-queue.client.ts'
import styles from './queue.css?url'

// The panel of what is queued on the device, at the top of a page while there is anything: each item with its photo, status and actions.
// It sends what is due, and says what any tab or the service worker sent.

/** Retries without an `online` event, since browsers do not always notice that the network or the server is back. */
const NETWORK_CHECK_INTERVAL_MS = 30_000

/** What a queue's panel shows and says. */
export interface QueuePanelContent<T extends QueuedItem> {
  queue: OfflineQueue<T>
  heading: string
  /** The panel's accessible name. */
  label: string
  /** Of an item that the device's member may see. */
  titleOf: (item: T) => string
  readPhoto: (item: T) => Promise<Blob | undefined>
  /** The button or link that opens it in its form. */
  createEdit: (item: T) => HTMLElement
  /** Whether it cannot be sent any more, only discarded; by default none. */
  isOver?: (item: T) => boolean
  /** Adds to a new row what other queues do not show. */
  onRow?: (row: QueueRow, item: T) => void
  /** Updates what `onRow` added. @param share the share that is sent; undefined where it is not being sent */
  onUpdate?: (row: QueueRow, share: number | undefined) => void
  /** Tells the person that an item was sent. */
  notify: (item: T) => void
}

export interface QueueRow {
  element: HTMLLIElement
  /** What its photo and its title are of: another version gets another row. */
  version: string
  title: HTMLElement
  status: HTMLElement
  buttons: HTMLElement
  /** The photo's object URL; '' without one. */
  picture: string
  /** The sentence of `status`. */
  text: string
}

/** A problem has an icon, not colour alone. */
const WARNING_ICON = document.createElement('template')
WARNING_ICON.innerHTML =
  '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m12 4 9 16H3ZM12 10v4m0 3v.01"/></svg> '

export function createButton(text: string, className: string, onPress: () => void): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), { type: 'button', className, textContent: text })
  element.addEventListener('click', onPress)
  return element
}

export const createLink = (textContent: string, href: string): HTMLAnchorElement =>
  Object.assign(document.createElement('a'), { className: 'btn', href, textContent })

function createPanel({ heading, label }: { heading: string; label: string }) {
  const panel = document.createElement('aside')
  panel.className = 'queue panel'
  panel.setAttribute('aria-label', label)
  const list = document.createElement('ul')
  panel.append(Object.assign(document.createElement('h2'), { textContent: heading }), list)
  return { panel, list }
}

/** An edit gives an item another time; whether it may be seen changes with the device's member. */
const versionOf = (item: QueuedItem): string => `${item.createdAt} ${mayOpen(item, localMemberId())}`

async function createRow<T extends QueuedItem>(content: QueuePanelContent<T>, item: T): Promise<QueueRow> {
  const isVisible = mayOpen(item, localMemberId())
  const photo = isVisible ? await content.readPhoto(item) : undefined
  const picture = photo ? URL.createObjectURL(photo) : ''
  const element = document.createElement('li')
  const image = Object.assign(new Image(56, 56), { src: picture || paths.placeholder, alt: '' })
  const title = document.createElement('b')
  title.textContent = isVisible ? content.titleOf(item) : content.queue.texts.otherMembers
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const texts = document.createElement('div')
  texts.append(title, status)
  const buttons = document.createElement('div')
  buttons.className = 'flow queue-buttons'
  element.append(image, texts, buttons)
  const row = { element, version: versionOf(item), title, status, buttons, picture, text: '' }
  if (isVisible) content.onRow?.(row, item)
  return row
}

/** Removes the rows of items that are gone. */
function removeRows(rows: Map<string, QueueRow>, items: readonly QueuedItem[]): void {
  for (const [id, row] of rows)
    if (!items.some((item) => item.id === id)) {
      // The focused button disappears with its row.
      if (row.element.contains(document.activeElement))
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
      row.element.remove()
      URL.revokeObjectURL(row.picture)
      rows.delete(id)
    }
}

/** Opens the panel of a queue, and sends what is due now, when the network or the server is back and when the page is shown again. */
export function openQueuePanel<T extends QueuedItem>(content: QueuePanelContent<T>): void {
  const { queue } = content
  const { panel, list } = createPanel(content)
  const stylesLoaded = loadStylesheet(styles)
  const rows = new Map<string, QueueRow>()
  /** The item whose «Descartar» awaits its confirmation. */
  let confirmingId: string | null = null
  /** The share sent of each item being sent, 0 to 1. */
  const shares = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(QUEUE_CHANNEL) : undefined

  function updateRow(row: QueueRow, item: T): void {
    const { element, status, buttons } = row
    const isClosed = !mayOpen(item, localMemberId())
    if (!isClosed) row.title.textContent = content.titleOf(item)
    const share = shares.get(item.id)
    const sending = share === undefined ? undefined : queue.texts.sending(share)
    const text = sending ?? (isClosed ? queue.texts.signedOut : item.problem || queue.texts.waiting)
    if (row.text !== text) {
      row.text = status.textContent = text
      if (sending === undefined && !isClosed && item.state === 'stuck')
        status.prepend(WARNING_ICON.content.cloneNode(true))
    }
    element.dataset.state = sending === undefined ? item.state : 'sending'
    content.onUpdate?.(row, share)
    const openKind = confirmingId === item.id ? 'confirming' : content.isOver?.(item) ? 'over' : item.state
    const kind = sending === undefined ? (isClosed ? 'closed' : openKind) : 'sending'
    if (buttons.dataset.kind === kind) return
    const hadFocus = buttons.contains(document.activeElement)
    buttons.dataset.kind = kind
    buttons.replaceChildren(...buttonsOf(item, kind))
    if (hadFocus) buttons.querySelector<HTMLElement>('a, button')?.focus()
  }

  function buttonsOf(item: T, kind: string): HTMLElement[] {
    if (kind === 'sending') return []
    if (kind === 'confirming')
      return [
        createButton('Sí, descartar', 'btn', () => void discard(item.id)),
        createButton('Conservar', 'btn ghost', () => confirmDiscard(null)),
      ]
    const discardButton = createButton('Descartar', 'btn ghost', () => confirmDiscard(item.id))
    if (kind === 'over') return [discardButton]
    const signIn = () => createLink('Iniciar sesión', paths.login)
    if (kind === 'closed') return [signIn()]
    const first = kind === 'signed-out' ? signIn() : createButton('Enviar ahora', 'btn', () => void retry(item.id))
    return [first, content.createEdit(item), discardButton]
  }

  function confirmDiscard(id: string | null): void {
    confirmingId = id
    void render()
  }

  async function retry(id: string): Promise<void> {
    const item = await queue.read(id)
    if (item) await queue.update(resetForRetry(item))
    await deliverAndRender()
  }

  async function discard(id: string): Promise<void> {
    confirmingId = null
    await queue.discard(id)
    await deliverAndRender()
  }

  async function renderPanel(): Promise<void> {
    const items = (await queue.readAll()).filter((item) => item.state !== 'sent' && isListedFor(item, localMemberId()))
    removeRows(rows, items)
    for (const item of items) {
      const shown = rows.get(item.id)
      const row = shown?.version === versionOf(item) ? shown : await createRow(content, item)
      if (!shown) list.append(row.element)
      else if (shown !== row) {
        shown.element.replaceWith(row.element)
        URL.revokeObjectURL(shown.picture)
      }
      rows.set(item.id, row)
      updateRow(row, item)
    }
    if (items.length === 0) return panel.remove()
    await stylesLoaded
    if (!panel.isConnected) document.querySelector('main')?.prepend(panel)
  }

  /** Renders run one after the other, so that none creates a row twice. */
  let rendering: Promise<void> = Promise.resolve()
  const render = (): Promise<void> => (rendering = rendering.then(renderPanel, renderPanel))

  function publishChange(): void {
    void render()
    channel?.postMessage('changed')
  }

  function onSending(id: string, share: number | null): void {
    if (share === null) {
      shares.delete(id)
      return publishChange()
    }
    shares.set(id, share)
    void render()
  }

  async function deliverAndRender(): Promise<void> {
    await render()
    const delay = await deliver(content, onSending).catch((error: unknown) => console.warn('perrario · queue', error))
    clearTimeout(timer)
    if (typeof delay === 'number') timer = setTimeout(() => void deliverAndRender(), delay)
    publishChange()
  }

  channel?.addEventListener('message', ({ data }) => void (data === 'sent' ? deliverAndRender() : render()))
  for (const event of ['online', 'perrario:reachable', 'perrario:queued', 'perrario:queue-changed'])
    addEventListener(event, () => void deliverAndRender())
  document.addEventListener('visibilitychange', () => document.hidden || void deliverAndRender())
  void deliverAndRender()
}

/**
 * Sends the due items; tells the person of each that was sent and deletes it, while nothing is sent, so that only one tab does.
 * @returns the delay before the next try, ms; undefined where nothing waits
 */
async function deliver<T extends QueuedItem>(
  { queue, notify }: QueuePanelContent<T>,
  onSending: OnSending,
): Promise<number | undefined> {
  await queue.sendAll(onSending)
  await queue.whileIdle(async () => {
    for (const item of await queue.readAll()) {
      if (item.state !== 'sent') continue
      await queue.remove(item.id)
      notify(item)
    }
  })
  const remaining = await queue.readAll()
  try {
    if (remaining.length === 0) localStorage.removeItem(queue.name)
  } catch {
    // The next page opens an empty queue.
  }
  return nextTryDelay(remaining, Date.now(), NETWORK_CHECK_INTERVAL_MS)
}
