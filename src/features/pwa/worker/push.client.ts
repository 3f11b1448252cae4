import { readMessage, type PushState } from '#features/notifications/push/push.ts'
import { paths } from '#lib/paths.ts'
import { scope } from './scope.client.ts'

// Notices while no page is open: the worker shows what the server sent to this device, and leads to it.

/** Browsers want every message shown; one that cannot be read says that there is something. */
scope.addEventListener('push', (event) => {
  const { title, body, path, tag } = readMessage(event.data)
  const options = { body, tag, data: path, lang: 'es', icon: '/icon-192.png', badge: '/icon-monochrome-512.png' }
  event.waitUntil(scope.registration.showNotification(title, options))
})

scope.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(Promise.all([openPath(String(notification.data)), markRead(notification.tag)]))
})

/** To the tab that shows the page already, or to a new one: no page that somebody writes in is left for it. */
async function openPath(path: string): Promise<void> {
  const { origin } = scope.location
  const asked = new URL(path, origin)
  const target = asked.origin === origin ? asked : new URL(paths.notifications, origin)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find(({ url }) => new URL(url).pathname === target.pathname)
  if (open) await open.focus()
  else await scope.clients.openWindow(target.href)
}

/** Following a notice reads its line in the bell; a summary stands for many and reads none. */
async function markRead(tag: string): Promise<void> {
  if (!/^[\da-f-]{36}$/.test(tag)) return
  const init = { method: 'PATCH', body: '{"is_read":true}', headers: { 'Content-Type': 'application/json' } }
  await fetch(paths.api.notification(tag), init).catch(() => undefined)
}

/** The browser gave the device a new address: the server learns it, if this session had notices on. */
scope.addEventListener('pushsubscriptionchange', (event) => {
  const renew = async () => {
    const { key, endpoint }: PushState = await (await fetch(paths.api.push)).json()
    if (!key || !endpoint) return
    const options = { userVisibleOnly: true, applicationServerKey: key }
    const subscription = await scope.registration.pushManager.subscribe(options)
    const init = { method: 'POST', body: JSON.stringify(subscription), headers: { 'Content-Type': 'application/json' } }
    await fetch(paths.api.push, init)
  }
  event.waitUntil(renew().catch(() => undefined))
})

/** Whoever signs out hears nothing more here, not even what is on its way. */
export async function unsubscribeDevice(): Promise<void> {
  const subscription = await scope.registration.pushManager?.getSubscription().catch(() => null)
  await subscription?.unsubscribe()
  for (const shown of await scope.registration.getNotifications()) shown.close()
}
