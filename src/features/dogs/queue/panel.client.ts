import { localMemberId } from '#lib/device-queue.client.ts'
import { QUEUE_CHANNEL } from '#lib/offline.ts'
import { paths } from '#lib/paths.ts'
import { withLock } from '#lib/queued-sends.client.ts'
import { isListedFor, mayOpen, resetForRetry } from '#lib/queued-sends.ts'
import styles from '#ui/queue/queue.css?url'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import { displayName } from '../dogs.ts'
import { deliver } from './deliver.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { dogLock } from './bring-up-to-date.client.ts'
import { updateQueuedDog, deleteQueuedDog, readQueuedPhotos, readQueue, readQueuedDog } from './store.client.ts'

// The queued dogs, at the top of every page while there are any: each with its photo, status and actions. Loaded only then
// (features/pwa/pwa.client.ts).

const panel = document.createElement('aside')
panel.className = 'queue panel'
panel.setAttribute('aria-label', 'Perros por enviar')
panel.innerHTML = '<h2>Por enviar</h2><ul></ul>'
const list = panel.querySelector('ul')!
const stylesLoaded = loadStylesheet(styles)

/** A problem has an icon, not colour alone. */
const WARNING_ICON = document.createElement('template')
WARNING_ICON.innerHTML =
  '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m12 4 9 16H3ZM12 10v4m0 3v.01"/></svg> '

interface Row {
  element: HTMLLIElement
  status: HTMLElement
  meter: HTMLElement
  buttons: HTMLElement
  picture: string
}
const rows = new Map<string, Row>()
/** The share sent of each dog being sent, 0 to 1. */
const progressById = new Map<string, number>()
/** The dog whose «Descartar» awaits its confirmation. */
let confirmingId: string | null = null

function createButton(text: string, className: string, onPress: () => void): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), { type: 'button', className, textContent: text })
  element.addEventListener('click', onPress)
  return element
}

async function createRow(dog: QueuedDog): Promise<Row> {
  const element = document.createElement('li')
  const isVisible = mayOpen(dog, localMemberId())
  const title = isVisible ? displayName(dog.values.name) : QUEUE_TEXTS.otherMembersDog
  const [photo] = isVisible ? await readQueuedPhotos(dog) : []
  const picture = photo ? URL.createObjectURL(photo.file) : ''
  const image = Object.assign(new Image(56, 56), { src: picture || paths.placeholder, alt: '' })
  const texts = document.createElement('div')
  texts.className = 'queue-words'
  const name = document.createElement('b')
  name.textContent = title
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const meter = document.createElement('div')
  meter.className = 'meter'
  meter.setAttribute('role', 'progressbar')
  meter.setAttribute('aria-label', `Enviando a ${title}`)
  meter.append(document.createElement('i'))
  texts.append(name, status, meter)
  const buttons = document.createElement('div')
  buttons.className = 'queue-buttons'
  element.append(image, texts, buttons)
  return { element, status, meter, buttons, picture }
}

function updateRow({ status, meter, buttons, element }: Row, dog: QueuedDog): void {
  const share = progressById.get(dog.id)
  const isSending = share !== undefined
  const isClosed = !mayOpen(dog, localMemberId())
  const idleText = isClosed ? QUEUE_TEXTS.signedOut : dog.problem || QUEUE_TEXTS.waiting
  const text = isSending ? QUEUE_TEXTS.sending(share) : idleText
  if (status.textContent !== text) {
    status.textContent = text
    if (!isSending && !isClosed && dog.state === 'stuck') status.prepend(WARNING_ICON.content.cloneNode(true))
  }
  element.dataset.state = isSending ? 'sending' : dog.state
  meter.hidden = !isSending
  meter.setAttribute('aria-valuenow', String(Math.round((share ?? 0) * 100)))
  meter.querySelector<HTMLElement>('i')!.style.width = `${(share ?? 0) * 100}%`
  const kind = isSending ? 'sending' : isClosed ? 'closed' : confirmingId === dog.id ? 'confirming' : dog.state
  if (buttons.dataset.kind === kind) return
  const hadFocus = buttons.contains(document.activeElement)
  buttons.dataset.kind = kind
  buttons.replaceChildren(...buttonsOf(dog, kind))
  if (hadFocus) buttons.querySelector<HTMLElement>('a, button')?.focus()
}

const SIGN_IN = { className: 'btn', href: paths.login, textContent: 'Iniciar sesión' }

function buttonsOf(dog: QueuedDog, kind: string): HTMLElement[] {
  if (kind === 'sending') return []
  if (kind === 'confirming')
    return [
      createButton('Sí, descartar', 'btn', () => void discardDog(dog.id)),
      createButton('Conservar', 'btn ghost', () => confirmDiscard(null)),
    ]
  const signIn = () => Object.assign(document.createElement('a'), SIGN_IN)
  if (kind === 'closed') return [signIn()]
  const edit = createButton('Editar', 'btn', () => {})
  edit.dataset.editQueued = dog.id
  const first = kind === 'signed-out' ? signIn() : createButton('Enviar ahora', 'btn', () => void retryDog(dog.id))
  return [first, edit, createButton('Descartar', 'btn ghost', () => confirmDiscard(dog.id))]
}

function confirmDiscard(id: string | null): void {
  confirmingId = id
  void renderPanel()
}

async function retryDog(id: string): Promise<void> {
  const dog = await readQueuedDog(id)
  if (dog) await updateQueuedDog(resetForRetry(dog))
  await deliverAndRender()
}

async function discardDog(id: string): Promise<void> {
  confirmingId = null
  const deleteUnlessSent = async () => {
    // A dog sent meanwhile stays until a page has notified the person.
    if ((await readQueuedDog(id))?.state !== 'sent') await deleteQueuedDog(id)
  }
  await withLock(dogLock(id), deleteUnlessSent)
  await deliverAndRender()
}

async function renderPanel(): Promise<void> {
  const dogs = (await readQueue()).filter((dog) => dog.state !== 'sent' && isListedFor(dog, localMemberId()))
  for (const [id, row] of rows)
    if (!dogs.some((dog) => dog.id === id)) {
      // The focused button disappears with its row.
      if (row.element.contains(document.activeElement))
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
      row.element.remove()
      URL.revokeObjectURL(row.picture)
      rows.delete(id)
    }
  for (const dog of dogs) {
    const row = rows.get(dog.id) ?? (await createRow(dog))
    if (!rows.has(dog.id)) list.append(row.element)
    rows.set(dog.id, row)
    if (mayOpen(dog, localMemberId())) row.element.querySelector('b')!.textContent = displayName(dog.values.name)
    updateRow(row, dog)
  }
  if (dogs.length === 0) return panel.remove()
  await stylesLoaded
  if (!panel.isConnected) document.querySelector('main')?.prepend(panel)
}

/** Renders run one after the other, so that none creates a row twice. */
let rendering: Promise<void> = Promise.resolve()
const scheduleRender = (): Promise<void> => (rendering = rendering.then(renderPanel, renderPanel))

const channel = 'BroadcastChannel' in window ? new BroadcastChannel(QUEUE_CHANNEL) : undefined
channel?.addEventListener('message', ({ data }) => void (data === 'sent' ? deliverAndRender() : scheduleRender()))

function onProgress(id: string, share: number): void {
  progressById.set(id, share)
  void scheduleRender()
}

function onQueueChange(): void {
  progressById.clear()
  void scheduleRender()
  channel?.postMessage('changed')
}

/** Sends the due dogs and renders the results. */
async function deliverAndRender(): Promise<void> {
  await scheduleRender()
  await deliver(onProgress, onQueueChange).catch((error: unknown) => console.warn('perrario · queue', error))
  onQueueChange()
}

for (const event of ['perrario:queued', 'perrario:queue-changed', 'online'])
  addEventListener(event, () => void deliverAndRender())
document.addEventListener('visibilitychange', () => document.hidden || void deliverAndRender())
void deliverAndRender()
