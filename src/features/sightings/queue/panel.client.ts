import { fromStored } from '#features/photos/stored-file.client.ts'
import { formatDateTime } from '#lib/dates.ts'
import { localMemberId } from '#lib/device-queue.client.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { QUEUE_CHANNEL } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { isListedFor, mayOpen, resetForRetry } from '#lib/queued-sends.ts'
import styles from '#ui/queue/queue.css?url'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { deliver } from './deliver.client.ts'
import { EDIT_FRAGMENT, type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue.ts'
import { deleteQueuedSighting, readQueue, readQueuedSighting, updateQueuedSighting } from './store.client.ts'

// The queued sightings, at the top of every page while there are any. Loaded only then (features/pwa/pwa.client.ts).

const panel = document.createElement('aside')
panel.className = 'queue panel'
panel.setAttribute('aria-label', 'Avistamientos por enviar')
panel.innerHTML = '<h2>Avistamientos por enviar</h2><ul></ul>'
const list = panel.querySelector('ul')!
const stylesLoaded = loadStylesheet(styles)

interface Row {
  element: HTMLLIElement
  status: HTMLElement
  buttons: HTMLElement
  picture: string
}
const rows = new Map<string, Row>()
let sendingId: string | null = null
/** The sighting whose «Descartar» awaits its confirmation. */
let confirmingId: string | null = null

function createRow(sighting: QueuedSighting): Row {
  const element = document.createElement('li')
  const isVisible = mayOpen(sighting, localMemberId())
  const photo = isVisible ? fromStored(sighting.photo, 'foto.jpg') : undefined
  const picture = photo ? URL.createObjectURL(photo) : ''
  const image = Object.assign(new Image(56, 56), { src: picture || paths.placeholder, alt: '' })
  const texts = document.createElement('div')
  const title = document.createElement('b')
  title.textContent = isVisible ? `Has visto ${sighting.dogName}` : SIGHTING_QUEUE_TEXTS.otherMembers
  texts.append(title)
  if (isVisible) {
    const when = document.createElement('p')
    when.textContent = formatDateTime(Date.parse(sighting.fields.at))
    texts.append(when)
  }
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  status.dataset.status = ''
  texts.append(status)
  const buttons = document.createElement('div')
  buttons.className = 'queue-buttons'
  element.append(image, texts, buttons)
  return { element, status, buttons, picture }
}

function updateRow({ status, buttons, element }: Row, sighting: QueuedSighting): void {
  const isClosed = !mayOpen(sighting, localMemberId())
  const isSending = sighting.id === sendingId
  const idle = isClosed ? SIGHTING_QUEUE_TEXTS.signedOut : sighting.problem || SIGHTING_QUEUE_TEXTS.waiting
  const text = isSending ? SIGHTING_QUEUE_TEXTS.sending : idle
  if (status.textContent !== text) status.textContent = text
  element.dataset.state = isSending ? 'sending' : sighting.state
  const isConfirming = confirmingId === sighting.id
  const kind = isSending
    ? ''
    : isClosed
      ? 'closed'
      : isConfirming
        ? 'confirming'
        : sighting.isOver
          ? 'over'
          : sighting.state
  if (buttons.dataset.kind === kind) return
  const hadFocus = buttons.contains(document.activeElement)
  buttons.dataset.kind = kind
  buttons.replaceChildren(...(kind === '' ? [] : buttonsOf(sighting, kind)))
  if (hadFocus) buttons.querySelector<HTMLElement>('a, button')?.focus()
}

function buttonsOf({ id, dogId }: QueuedSighting, kind: string): HTMLElement[] {
  if (kind === 'confirming')
    return [
      createButton('Sí, descartar', 'btn', () => void discard(id)),
      createButton('Conservar', 'btn ghost', () => confirmDiscard(null)),
    ]
  const discardButton = createButton('Descartar', 'btn ghost', () => confirmDiscard(id))
  if (kind === 'over') return [discardButton]
  if (kind === 'closed') return [createLink('Iniciar sesión', paths.login)]
  const first =
    kind === 'signed-out'
      ? createLink('Iniciar sesión', paths.login)
      : createButton('Enviar ahora', 'btn', () => void retry(id))
  return [first, createLink('Corregir', `${lostPaths.sightingForm(dogId)}${EDIT_FRAGMENT}${id}`), discardButton]
}

function createButton(text: string, className: string, onPress: () => void): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), { type: 'button', className, textContent: text })
  element.addEventListener('click', onPress)
  return element
}
const createLink = (textContent: string, href: string) =>
  Object.assign(document.createElement('a'), { className: 'btn', href, textContent })

function confirmDiscard(id: string | null): void {
  confirmingId = id
  void scheduleRender()
}

async function retry(id: string): Promise<void> {
  const sighting = await readQueuedSighting(id)
  if (sighting) await updateQueuedSighting(resetForRetry(sighting))
  await deliverAndRender()
}

async function discard(id: string): Promise<void> {
  confirmingId = null
  // One sent meanwhile stays until a page has notified the person.
  if ((await readQueuedSighting(id))?.state !== 'sent') await deleteQueuedSighting(id)
  await deliverAndRender()
}

async function renderPanel(): Promise<void> {
  const sightings = (await readQueue()).filter(
    (sighting) => sighting.state !== 'sent' && isListedFor(sighting, localMemberId()),
  )
  for (const [id, row] of rows)
    if (!sightings.some((sighting) => sighting.id === id)) {
      // The focused button disappears with its row.
      if (row.element.contains(document.activeElement))
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
      row.element.remove()
      URL.revokeObjectURL(row.picture)
      rows.delete(id)
    }
  for (const sighting of sightings) {
    const row = rows.get(sighting.id) ?? createRow(sighting)
    if (!rows.has(sighting.id)) list.append(row.element)
    rows.set(sighting.id, row)
    updateRow(row, sighting)
  }
  if (sightings.length === 0) return panel.remove()
  await stylesLoaded
  if (!panel.isConnected) document.querySelector('main')?.prepend(panel)
}

/** Renders run one after the other, so that none creates a row twice. */
let rendering: Promise<void> = Promise.resolve()
const scheduleRender = (): Promise<void> => (rendering = rendering.then(renderPanel, renderPanel))

const channel = 'BroadcastChannel' in window ? new BroadcastChannel(QUEUE_CHANNEL) : undefined
channel?.addEventListener('message', ({ data }) => void (data === 'sent' ? deliverAndRender() : scheduleRender()))

function onChange(sending: string | null): void {
  sendingId = sending
  void scheduleRender()
  channel?.postMessage('changed')
}

/** Sends the due sightings and renders the results. */
export async function deliverAndRender(): Promise<void> {
  await scheduleRender()
  await deliver(onChange).catch((error: unknown) => console.warn('perrario · sightings', error))
  onChange(null)
}

addEventListener('online', () => void deliverAndRender())
document.addEventListener('visibilitychange', () => document.hidden || void deliverAndRender())
void deliverAndRender()
