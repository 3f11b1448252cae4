import type { MessageToPage } from '#lib/offline.ts'
import { scope, type WindowClient } from './scope.client.ts'

// /sw.js under SERVICE_WORKER=off: replaces a bad worker, deletes its caches and unregisters. Pages reload themselves once
// they have no unsaved input; one that does not answer does not run our script, and is reloaded from here.

/** How long a page has to answer, ms. */
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

// While a page is still open, the browser only schedules the removal, and a page that registers cancels it. So each message
// of a page unregisters again.
scope.addEventListener('message', (event) => event.waitUntil(scope.registration.unregister()))

async function askToReload(page: WindowClient): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const hasAnswered = new Promise<boolean>((resolve) => {
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
  })
  page.postMessage({ type: 'retired' } satisfies MessageToPage, [port2])
  if (!(await hasAnswered)) await page.navigate(page.url).catch(() => null)
}
