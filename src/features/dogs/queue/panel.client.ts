import { withLock } from '#lib/queued-sends.client.ts'
import { createButton, openQueuePanel } from '#ui/queue/queue-panel.client.ts'
import { displayName } from '../dogs.ts'
import { dogLock } from './bring-up-to-date.client.ts'
import { deliver } from './deliver.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'
import { deleteQueuedDog, readQueue, readQueuedDog, readQueuedPhotos, updateQueuedDog } from './store.client.ts'

// The panel of queued dogs. Loaded only while there are any (features/pwa/pwa.client.ts).

/** The share sent of each dog being sent, 0 to 1. */
const progressById = new Map<string, number>()

const discard = (id: string): Promise<void> =>
  withLock(dogLock(id), async () => {
    if ((await readQueuedDog(id))?.state !== 'sent') await deleteQueuedDog(id)
  })

function createMeter(title: string): HTMLElement {
  const meter = document.createElement('div')
  meter.className = 'meter'
  meter.setAttribute('role', 'progressbar')
  meter.setAttribute('aria-label', `Enviando a ${title}`)
  meter.append(document.createElement('i'))
  return meter
}

const deliverAndRender = openQueuePanel<QueuedDog>({
  heading: 'Por enviar',
  label: 'Perros por enviar',
  texts: { ...QUEUE_TEXTS, otherMembers: QUEUE_TEXTS.otherMembersDog },
  readAll: readQueue,
  read: readQueuedDog,
  update: updateQueuedDog,
  discard,
  titleOf: ({ values }) => displayName(values.name),
  readPhoto: async (dog) => (await readQueuedPhotos(dog))[0]?.file,
  sendingText({ id }) {
    const share = progressById.get(id)
    return share === undefined ? undefined : QUEUE_TEXTS.sending(share)
  },
  createEdit({ id }) {
    const edit = createButton('Editar', 'btn', () => {})
    edit.dataset.editQueued = id
    return edit
  },
  onRow: ({ title, status }) => status.after(createMeter(title.textContent)),
  onUpdate({ element }, { id }) {
    const share = progressById.get(id)
    const meter = element.querySelector<HTMLElement>('.meter')
    if (!meter) return
    meter.hidden = share === undefined
    meter.setAttribute('aria-valuenow', String(Math.round((share ?? 0) * 100)))
    meter.querySelector('i')!.style.width = `${(share ?? 0) * 100}%`
  },
  deliver: (render, publishChange) => {
    const onProgress = (id: string, share: number) => {
      progressById.set(id, share)
      render()
    }
    const onChange = () => {
      progressById.clear()
      publishChange()
    }
    return deliver(onProgress, onChange).finally(() => progressById.clear())
  },
})

for (const event of ['perrario:queued', 'perrario:queue-changed'])
  addEventListener(event, () => void deliverAndRender())
