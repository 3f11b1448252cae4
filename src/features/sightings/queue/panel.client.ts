import { fromStored } from '#features/photos/stored-file.client.ts'
import { formatDateTime } from '#lib/dates.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { createLink, openQueuePanel } from '#ui/queue/queue-panel.client.ts'
import { deliver } from './deliver.client.ts'
import { EDIT_FRAGMENT, type QueuedSighting, SIGHTING_QUEUE_TEXTS } from './queue.ts'
import { deleteQueuedSighting, readQueue, readQueuedSighting, updateQueuedSighting } from './store.client.ts'

// The panel of queued sightings. Loaded only while there are any (features/pwa/pwa.client.ts).

let sendingId: string | null = null

async function discard(id: string): Promise<void> {
  if ((await readQueuedSighting(id))?.state !== 'sent') await deleteQueuedSighting(id)
}

/** Sends the due sightings and renders the results. */
export const deliverAndRender = openQueuePanel<QueuedSighting>({
  heading: 'Avistamientos por enviar',
  label: 'Avistamientos por enviar',
  texts: SIGHTING_QUEUE_TEXTS,
  readAll: readQueue,
  read: readQueuedSighting,
  update: updateQueuedSighting,
  discard,
  titleOf: ({ dogName }) => `Has visto ${dogName}`,
  readPhoto: async ({ photo }) => fromStored(photo, 'foto.jpg'),
  sendingText: ({ id }) => (id === sendingId ? SIGHTING_QUEUE_TEXTS.sending : undefined),
  createEdit: ({ id, dogId }) => createLink('Corregir', `${lostPaths.sightingForm(dogId)}${EDIT_FRAGMENT}${id}`),
  isOver: ({ isOver }) => isOver,
  onRow({ title }, { fields }) {
    const when = document.createElement('p')
    when.textContent = formatDateTime(Date.parse(fields.at))
    title.after(when)
  },
  deliver: (_render, publishChange) =>
    deliver((id) => {
      sendingId = id
      publishChange()
    }).finally(() => (sendingId = null)),
})
