import { inBackground } from '#lib/background.client.ts'
import { pageStoredAt, QUEUE_HINT } from '#lib/offline.ts'
import { firstInteraction } from './deferred-loads.client.ts'

// Installing and working offline: the service worker is registered at load (docs/product.md §20.2). The rest is in files of their
// own: loaded at once where a worker, a kept page or waiting dogs have something to say, else when somebody is there.
const { serviceWorker } = navigator

const isNeededAtOnce = (): boolean => {
  if (serviceWorker?.controller || pageStoredAt() !== undefined) return true
  try {
    return localStorage.getItem(QUEUE_HINT) !== null
  } catch {
    return false
  }
}

async function startPwa() {
  const isServed = Boolean(serviceWorker?.controller)
  // Only https and localhost have workers; without one the site is as it is.
  if (import.meta.env.PROD) serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {})
  if (!isNeededAtOnce()) await firstInteraction
  inBackground(import('#features/pwa/pwa.client.ts').then(({ listenToWorker }) => listenToWorker(isServed)))
}
if (document.readyState === 'complete') void startPwa()
else addEventListener('load', startPwa, { once: true })
// The browser offers installation once, perhaps before anything else has come.
addEventListener('beforeinstallprompt', async (event) => {
  event.preventDefault()
  const { offerInstall } = await import('#features/pwa/install.client.ts')
  offerInstall(event)
})
