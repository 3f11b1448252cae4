import { inBackground } from '#lib/background.client.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { createButton, openQueuePanel } from '#ui/queue/queue-panel.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { DOG_TEXTS } from '#features/dogs/write/dog-fields.ts'
import { skippedText } from '#features/dogs/form/save/save-outcome.ts'
import { dispatchDogSaved, storePendingDog } from '#features/dogs/form/save/saved-dog.client.ts'
import { displayName } from '../dogs.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { dogQueue, readQueuedPhotos } from './send.client.ts'

// The panel of queued dogs. Loaded only while there are any (features/pwa/pwa.client.ts).

function createMeter(title: string): HTMLElement {
  const meter = document.createElement('div')
  meter.className = 'meter'
  meter.setAttribute('role', 'progressbar')
  meter.setAttribute('aria-label', `Enviando a ${title}`)
  meter.innerHTML = '<i class="done"></i>'
  return meter
}

function showSentToast({ values, sent }: QueuedDog): void {
  if (!sent) return
  const { dog, token, skipped, isOlder } = sent
  if (token !== null) storePendingDog(dog, values.relationship, token)
  const name = dogInSentence(dog.name).replace(/^el /, 'El ')
  toast({
    title: 'Perro añadido',
    text:
      token === null
        ? `${name} ya está en el álbum.`
        : `${name} ya está en el álbum. Entra en «Mi perfil» y regístrate para que sea tuyo.`,
    kind: 'success',
  })
  // A dog queued by an earlier version of the form may have a street number, which the server has removed.
  inBackground(
    import('#features/places/street-number.ts').then(({ withoutStreetNumber }) => {
      if (withoutStreetNumber(values.zone) !== values.zone) toast({ title: DOG_TEXTS.zoneNumber })
    }),
  )
  if (isOlder) toast({ title: QUEUE_TEXTS.older })
  if (skipped > 0) toast({ title: skippedText(skipped), kind: 'error' })
  dispatchDogSaved(dog, 'add')
}

openQueuePanel<QueuedDog>({
  queue: dogQueue,
  heading: 'Por enviar',
  label: 'Perros por enviar',
  titleOf: ({ values }) => displayName(values.name),
  readPhoto: async (dog) => (await readQueuedPhotos(dog))[0]?.file,
  createEdit({ id }) {
    const edit = createButton('Editar', 'btn', () => {})
    edit.dataset.editQueued = id
    return edit
  },
  onRow: ({ title, status }) => status.after(createMeter(title.textContent)),
  onUpdate({ element }, share) {
    const meter = element.querySelector<HTMLElement>('.meter')
    if (!meter) return
    meter.hidden = share === undefined
    meter.setAttribute('aria-valuenow', String(Math.round((share ?? 0) * 100)))
    meter.querySelector('i')!.style.width = `${(share ?? 0) * 100}%`
  },
  notify: showSentToast,
})
