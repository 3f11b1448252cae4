import { formatDateTime } from '#lib/dates.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { fromStored } from '#lib/stored-file.client.ts'
import { createLink, openQueuePanel } from '#ui/queue/queue-panel.client.ts'
import { toast } from '#ui/toast/toast.client.ts'
import { EDIT_FRAGMENT, type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue.ts'
import { sightingQueue } from './send.client.ts'

// The panel of queued sightings. Loaded only while there are any (features/pwa/pwa.client.ts).

openQueuePanel<QueuedSighting>({
  queue: sightingQueue,
  heading: 'Avistamientos por enviar',
  label: 'Avistamientos por enviar',
  titleOf: ({ dogName }) => `Has visto ${dogName}`,
  readPhoto: async ({ photo }) => fromStored(photo, 'foto.jpg'),
  createEdit: ({ id, dogId }) => createLink('Corregir', `${lostPaths.sightingForm(dogId)}${EDIT_FRAGMENT}${id}`),
  isOver: ({ isOver }) => isOver,
  onRow({ title }, { fields }) {
    const when = document.createElement('p')
    when.textContent = formatDateTime(Date.parse(fields.at))
    title.after(when)
  },
  notify({ id, dogName }) {
    toast({ title: SIGHTING_QUEUE_TEXTS.sentTitle, text: SIGHTING_QUEUE_TEXTS.sent(dogName), kind: 'success' })
    dispatchEvent(new CustomEvent('perrario:sighting-sent', { detail: id }))
  },
})
