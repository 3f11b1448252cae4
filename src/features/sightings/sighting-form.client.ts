import { inBackground } from '#lib/background.client.ts'
import { localMemberId } from '#lib/local-member.client.ts'
import { randomId } from '#lib/identifiers.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { requireElement } from '#lib/require-element.client.ts'
import { explainError } from '#lib/error-text.ts'
import { FormFields } from './form-fields.client.ts'
import { dogIdOfAddress, readStoredName } from './offline-form.client.ts'
import { EDIT_FRAGMENT, type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue/queue.ts'
import { sightingQueue } from './queue/send.client.ts'
import { type SendResult, sendSighting } from './send-sighting.client.ts'
import { SIGHTING_MEMBER_FIELD, SIGHTING_TEXTS } from './sightings.ts'

// «Hacer foto», «Estoy aquí ahora», «Enviar»: three presses. Without it the form is sent as it is.

const TEXTS = {
  failed: 'No se ha podido enviar. Inténtalo de nuevo.',
  sentTitle: 'Enviado: ya lo sabe su familia',
  sentText: '¡Gracias! Si vuelves a verlo, cuéntalo otra vez.',
}

/** What the server says of the place. */
const PLACE_SENTENCES: readonly string[] = (['place', 'point', 'sea', 'zone'] as const).map(
  (name) => SIGHTING_TEXTS[name],
)

function prepareForm(form: HTMLFormElement): void {
  const fields = new FormFields(form)
  const send = requireElement<HTMLButtonElement>(form, '[data-send]')
  const waiting = prepareWaiting(form, () => fields.file.focus())
  const dogId = form.dataset.dogId ?? dogIdOfAddress()
  let dogName = form.dataset.dogName ?? 'a este perro'
  let taken: QueuedSighting | null = null
  /** Lets the queue send what was taken up. */
  let release = () => {}
  /** One sighting is sent once, however often it is pressed. */
  let key = randomId()
  form.dataset.ready = ''

  const show = (result: SendResult) => {
    if (result.kind === 'refused') {
      if (result.isPhoto) return fields.refusePhoto(result.sentence)
      return PLACE_SENTENCES.includes(result.sentence)
        ? fields.refusePlace(result.sentence)
        : showProblem(form, result.sentence)
    }
    const sentKey = key
    // Back leads to an empty form.
    fields.reset()
    release()
    taken = null
    key = randomId()
    if (result.kind === 'sent') return location.assign(`${lostPaths.sightingForm(dogId)}?hecho=enviado`)
    waiting.show(sentKey)
    dispatchEvent(new Event('perrario:queue-changed'))
  }
  // While there is still a network: what shows and sends the queue.
  form.addEventListener('focusin', () => inBackground(import('./queue/panel.client.ts')), { once: true })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (send.disabled) return
    showProblem(form, null)
    if (!fields.hasPlace) return fields.refusePlace(SIGHTING_TEXTS.place)
    send.disabled = true
    send.setAttribute('aria-busy', 'true')
    const opener = form.querySelector<HTMLInputElement>(`[name=${SIGHTING_MEMBER_FIELD}]`)?.value ?? localMemberId()
    const sending = sendSighting({
      key,
      dogId,
      dogName,
      member: taken ? taken.member : opener || null,
      form: new FormData(form),
      photo: fields.photo,
      pressedAt: Date.now(),
      isQueued: taken !== null,
      queuedAt: taken && fields.keepsTime ? taken.fields.at : null,
    })
    inBackground(
      sending
        .then(show, (error: unknown) => showProblem(form, explainError(error, TEXTS.failed)))
        .finally(() => {
          send.disabled = false
          send.removeAttribute('aria-busy')
        }),
    )
  })

  /** Takes up a sighting that waits on the device, to be corrected. */
  const takeUp = async () => {
    if (!location.hash.startsWith(EDIT_FRAGMENT)) return
    const id = location.hash.slice(EDIT_FRAGMENT.length)
    history.replaceState(history.state, '', location.pathname + location.search)
    if (taken?.id === id) return waiting.hide()
    // Until it is sent from here: the queue would send what it says now.
    const unlock = await sightingQueue.take(id)
    if (!unlock) return showProblem(form, SIGHTING_QUEUE_TEXTS.busy)
    const queued = await sightingQueue.read(id)
    if (!queued || queued.state === 'sent' || queued.dogId !== dogId) return unlock()
    release()
    release = unlock
    waiting.hide()
    fields.fill(queued)
    taken = queued
    key = queued.id
    showProblem(form, queued.problem || null)
  }
  addEventListener('hashchange', () => inBackground(takeUp()))
  inBackground(takeUp())

  const showStoredName = async () => {
    dogName = (await readStoredName(dogId)) ?? dogName
    requireElement(document, '[data-sighting-title]').textContent = `¿Has visto ${dogName}?`
  }
  if (form.dataset.dogId === undefined) inBackground(showStoredName())
}

function showProblem(form: HTMLFormElement, sentence: string | null): void {
  const problem = requireElement(form, '[data-problem]')
  problem.hidden = sentence === null
  problem.textContent = sentence
  if (sentence !== null) problem.scrollIntoView({ block: 'nearest' })
}

/** What stands in the form's place once its sighting waits on the device. */
function prepareWaiting(form: HTMLFormElement, onAgain: () => void) {
  const box = requireElement(document, '[data-sighting-waiting]')
  const [title, text] = ['title', 'text'].map((part) => requireElement(box, `[data-waiting-${part}]`))
  const texts = [title!.textContent, text!.textContent]
  let waitingKey = ''
  const toggle = (isWaiting: boolean) => {
    box.hidden = !isWaiting
    form.hidden = isWaiting
    // The page is not loaded anew before it has said that it was sent.
    box.toggleAttribute('data-unsaved', isWaiting)
  }
  const say = (inTitle: string | null, inText: string | null) => {
    title!.textContent = inTitle
    text!.textContent = inText
  }
  addEventListener('perrario:sighting-sent', (event) => {
    if ((event as CustomEvent<string>).detail !== waitingKey) return
    say(TEXTS.sentTitle, TEXTS.sentText)
    box.removeAttribute('data-unsaved')
  })
  requireElement(box, '[data-sighting-again]').addEventListener('click', () => {
    toggle(false)
    onAgain()
  })
  return {
    show: (key: string) => {
      waitingKey = key
      say(texts[0]!, texts[1]!)
      toggle(true)
      box.focus()
    },
    hide: () => toggle(false),
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-sighting-form]')) prepareForm(form)
