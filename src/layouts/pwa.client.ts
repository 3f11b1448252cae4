import { QUEUE_HINT } from '#features/dogs/queue/hint.ts'
import { inBackground } from '#lib/background.client.ts'
import { keptSince } from '#lib/offline.ts'
import { interest } from './interest.client.ts'

// Installing and working offline: a few bytes here, the rest in files of their own, loaded once the page is there: at once
// where a worker, a kept page or waiting dogs have something to say, else when somebody is there.
const later = () => inBackground(import('#features/pwa/pwa.client.ts'))

const isAwaited = (): boolean => {
  if (navigator.serviceWorker?.controller || keptSince() !== undefined) return true
  try {
    return localStorage.getItem(QUEUE_HINT) !== null
  } catch {
    return false
  }
}

async function start() {
  if (!isAwaited()) await interest
  later()
}
if (document.readyState === 'complete') void start()
else addEventListener('load', start, { once: true })
// The browser offers installation once, perhaps before anything else has come.
addEventListener('beforeinstallprompt', async (event) => {
  event.preventDefault()
  const { offer } = await import('#features/pwa/install.client.ts')
  offer(event)
})
