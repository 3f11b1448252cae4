import { inBackground } from '#lib/background.client.ts'
import { pageStoredAt, QUEUE_HINT, SIGHTING_QUEUE_HINT } from '#lib/offline.ts'
import { firstInteraction } from './deferred-loads.client.ts'

// Installation and offline use: the service worker is registered at load (docs/product.md §20.2). The rest is in files of its own,
// which load at once where there is a worker or a queue of unsent things, else at the first interaction.
const { serviceWorker } = navigator

async function startPwa() {
  const isServed = Boolean(serviceWorker?.controller)
  // Workers need https or localhost; the site works without one.
  if (import.meta.env.PROD) serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  let queue: unknown
  try {
    queue = localStorage[QUEUE_HINT] ?? localStorage[SIGHTING_QUEUE_HINT]
  } catch {
    // Without storage nothing is queued.
  }
  if (!isServed && !queue) await firstInteraction
  inBackground(import('#features/pwa/pwa.client.ts').then(({ listenToWorker }) => listenToWorker(isServed)))
}
// A stored page has to say that it is one, though what it loads may never arrive.
if (document.readyState === 'complete' || pageStoredAt()) void startPwa()
else addEventListener('load', startPwa)
// The browser offers installation once, perhaps before the other files are loaded.
addEventListener('beforeinstallprompt', async (event) => {
  event.preventDefault()
  const { offerInstall } = await import('#features/pwa/install.client.ts')
  offerInstall(event)
})
