import type { MessageToPage } from '#lib/offline.ts'
import { scope, type WindowClient } from './scope.client.ts'

// What /sw.js answers under SERVICE_WORKER=off: it takes a bad worker's place, forgets what that kept and goes. Pages are
// loaded anew, each by itself once nothing unsaved stands in it; one that does not answer is not running our script, and
// is loaded anew from here.

/** How long a page has to say that it listens, ms. */
const ANSWER_TIMEOUT_MS = 2000

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))

scope.addEventListener('activate', (event) => {
  const retire = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name.startsWith('perrario-')).map((name) => caches.delete(name)))
    const pages = await scope.clients.matchAll({ type: 'window' })
    await scope.registration.unregister()
    await Promise.all(pages.map(askToReload))
  }
  event.waitUntil(retire())
})

// While a page still waits with something unsaved, the browser only promises to forget the worker, and any page that
// registers takes the promise back. So each that says hello has it made again.
scope.addEventListener('message', (event) => event.waitUntil(scope.registration.unregister()))

async function askToReload(page: WindowClient): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const isHeard = new Promise<boolean>((done) => {
    port1.addEventListener('message', () => done(true))
    port1.start()
    setTimeout(() => done(false), ANSWER_TIMEOUT_MS)
  })
  page.postMessage({ type: 'retired' } satisfies MessageToPage, [port2])
  if (!(await isHeard)) await page.navigate(page.url).catch(() => null)
}
