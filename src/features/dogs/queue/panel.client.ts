import { paths } from '#lib/paths.ts'
import { addSheet } from '#ui/sheet.client.ts'
import { shownName } from '../dogs.ts'
import { deliver } from './deliver.client.ts'
import { memberHere } from './keep.client.ts'
import { again, isKnownTo, isShownTo, QUEUE_CHANNEL, QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { dogLock } from './send.client.ts'
import { changeQueued, dropQueued, queuedPhotos, readQueue, readQueued } from './store.client.ts'
import styles from './queue.css?url'

// What waits to be sent, at the top of every page while something does: each with its photo, how it stands, and what can be
// done with it. Loaded only then (features/pwa/pwa.client.ts).

const panel = document.createElement('aside')
panel.className = 'queue panel'
panel.setAttribute('aria-label', 'Perros por enviar')
panel.innerHTML = '<h2>Por enviar</h2><ul></ul>'
const list = panel.querySelector('ul')!
const styled = addSheet(styles)

/** What is wrong has a sign, not a colour alone. */
const WARNING = document.createElement('template')
WARNING.innerHTML =
  '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m12 4 9 16H3ZM12 10v4m0 3v.01"/></svg> '

interface Row {
  element: HTMLLIElement
  status: HTMLElement
  meter: HTMLElement
  buttons: HTMLElement
  picture: string
}
const rows = new Map<string, Row>()
/** How much of each has left; of those that are being sent. */
const shares = new Map<string, number>()
/** The one whose «Descartar» was pressed once. */
let asking: string | null = null

function button(text: string, className: string, onPress: () => void): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), { type: 'button', className, textContent: text })
  made.addEventListener('click', onPress)
  return made
}

async function makeRow(dog: QueuedDog): Promise<Row> {
  const element = document.createElement('li')
  const isOpen = isKnownTo(dog, memberHere())
  const title = isOpen ? shownName(dog.values.name) : QUEUE_TEXTS.somebodys
  const [photo] = isOpen ? await queuedPhotos(dog) : []
  const picture = photo ? URL.createObjectURL(photo.file) : ''
  const image = Object.assign(new Image(56, 56), { src: picture || paths.placeholder, alt: '' })
  const words = document.createElement('div')
  words.className = 'queue-words'
  const name = document.createElement('b')
  name.textContent = title
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const meter = document.createElement('div')
  meter.className = 'meter'
  meter.setAttribute('role', 'progressbar')
  meter.setAttribute('aria-label', `Enviando a ${title}`)
  meter.append(document.createElement('i'))
  words.append(name, status, meter)
  const buttons = document.createElement('div')
  buttons.className = 'queue-buttons'
  element.append(image, words, buttons)
  return { element, status, meter, buttons, picture }
}

function fillRow({ status, meter, buttons, element }: Row, dog: QueuedDog): void {
  const share = shares.get(dog.id)
  const isSending = share !== undefined
  const isClosed = !isKnownTo(dog, memberHere())
  const told = isClosed ? QUEUE_TEXTS.signedOut : dog.problem || QUEUE_TEXTS.waiting
  const text = isSending ? QUEUE_TEXTS.sending(share) : told
  if (status.textContent !== text) {
    status.textContent = text
    if (!isSending && !isClosed && dog.state === 'stuck') status.prepend(WARNING.content.cloneNode(true))
  }
  element.dataset.state = isSending ? 'sending' : dog.state
  meter.hidden = !isSending
  meter.setAttribute('aria-valuenow', String(Math.round((share ?? 0) * 100)))
  meter.querySelector<HTMLElement>('i')!.style.width = `${(share ?? 0) * 100}%`
  const kind = isSending ? 'sending' : isClosed ? 'closed' : asking === dog.id ? 'asking' : dog.state
  if (buttons.dataset.kind === kind) return
  const hadFocus = buttons.contains(document.activeElement)
  buttons.dataset.kind = kind
  buttons.replaceChildren(...buttonsOf(dog, kind))
  if (hadFocus) buttons.querySelector<HTMLElement>('a, button')?.focus()
}

const SIGN_IN = { className: 'btn', href: paths.login, textContent: 'Iniciar sesión' }

function buttonsOf(dog: QueuedDog, kind: string): HTMLElement[] {
  if (kind === 'sending') return []
  if (kind === 'asking')
    return [
      button('Sí, descartar', 'btn', () => void discard(dog.id)),
      button('Conservar', 'btn ghost', () => ask(null)),
    ]
  const signIn = () => Object.assign(document.createElement('a'), SIGN_IN)
  if (kind === 'closed') return [signIn()]
  const edit = button('Editar', 'btn', () => {})
  edit.dataset.editQueued = dog.id
  const first = kind === 'signed-out' ? signIn() : button('Enviar ahora', 'btn', () => void retry(dog.id))
  return [first, edit, button('Descartar', 'btn ghost', () => ask(dog.id))]
}

function ask(id: string | null): void {
  asking = id
  void draw()
}

async function retry(id: string): Promise<void> {
  const dog = await readQueued(id)
  if (dog) await changeQueued(again(dog))
  await run()
}

async function discard(id: string): Promise<void> {
  asking = null
  const drop = async () => {
    // What was sent meanwhile is there to be told, not to be dropped.
    if ((await readQueued(id))?.state !== 'sent') await dropQueued(id)
  }
  await ('locks' in navigator ? navigator.locks.request(dogLock(id), drop) : drop())
  await run()
}

async function draw(): Promise<void> {
  const dogs = (await readQueue()).filter((dog) => dog.state !== 'sent' && isShownTo(dog, memberHere()))
  for (const [id, row] of rows)
    if (!dogs.some((dog) => dog.id === id)) {
      // The button that was pressed goes with it.
      if (row.element.contains(document.activeElement))
        document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
      row.element.remove()
      URL.revokeObjectURL(row.picture)
      rows.delete(id)
    }
  for (const dog of dogs) {
    const row = rows.get(dog.id) ?? (await makeRow(dog))
    if (!rows.has(dog.id)) list.append(row.element)
    rows.set(dog.id, row)
    if (isKnownTo(dog, memberHere())) row.element.querySelector('b')!.textContent = shownName(dog.values.name)
    fillRow(row, dog)
  }
  if (dogs.length === 0) return panel.remove()
  await styled
  if (!panel.isConnected) document.querySelector('main')?.prepend(panel)
}

/** One drawing after the other, so that none makes a row twice. */
let drawing: Promise<void> = Promise.resolve()
const redraw = (): Promise<void> => (drawing = drawing.then(draw, draw))

const others = 'BroadcastChannel' in window ? new BroadcastChannel(QUEUE_CHANNEL) : undefined
others?.addEventListener('message', ({ data }) => void (data === 'sent' ? run() : redraw()))

function progressed(id: string, share: number): void {
  shares.set(id, share)
  void redraw()
}

function changed(): void {
  shares.clear()
  void redraw()
  others?.postMessage('changed')
}

/** Sends what is due, and draws what comes of it. */
async function run(): Promise<void> {
  await redraw()
  await deliver(progressed, changed).catch((error: unknown) => console.warn('perrario · queue', error))
  changed()
}

for (const event of ['perrario:queued', 'perrario:queue-changed', 'online']) addEventListener(event, () => void run())
document.addEventListener('visibilitychange', () => document.hidden || void run())
void run()
