import { readMessage, type PushState } from '#features/notifications/push/push.ts'
import { paths } from '#lib/paths.ts'
import { scope } from './scope.client.ts'

// Push notifications: the worker shows the server's messages to this device, and opens their pages.

/** Browsers require every message to be shown; a malformed one is shown as a generic one. */
scope.addEventListener('push', (event) => {
  const { title, body, path, tag, image } = readMessage(event.data)
  const icons = { icon: '/icon-192.png', badge: '/icon-monochrome-512.png', ...(image && { image }) }
  const options = { body, tag, data: path, lang: 'es', ...icons }
  event.waitUntil(scope.registration.showNotification(title, options))
})

scope.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(Promise.all([openPath(String(notification.data)), markRead(notification.tag)]))
})

/** Focuses the tab that shows the page, or opens a new one. Never navigates a tab, which may have unsaved input. */
async function openPath(path: string): Promise<void> {
  const { origin } = scope.location
  const requested = new URL(path, origin)
  const target = requested.origin === origin ? requested : new URL(paths.notifications, origin)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find(({ url }) => new URL(url).pathname === target.pathname)
  if (open) await open.focus()
  else await scope.clients.openWindow(target.href)
}

/** Marks the followed notification read in the bell; a summary has no notification's id as its tag, and marks none. */
async function markRead(tag: string): Promise<void> {
  if (!/^[\da-f-]{36}$/.test(tag)) return
  const init = { method: 'PATCH', body: '{"is_read":true}', headers: { 'Content-Type': 'application/json' } }
  await fetch(paths.api.notification(tag), init).catch(() => undefined)
}

/** The browser has replaced the subscription: sends the new one to the server, if this session had one. */
scope.addEventListener('pushsubscriptionchange', (event) => {
  const resubscribe = async () => {
    const { key, endpoint }: PushState = await (await fetch(paths.api.push)).json()
    if (!key || !endpoint) return
    const options = { userVisibleOnly: true, applicationServerKey: key }
    const subscription = await scope.registration.pushManager.subscribe(options)
    const init = { method: 'POST', body: JSON.stringify(subscription), headers: { 'Content-Type': 'application/json' } }
    await fetch(paths.api.push, init)
  }
  event.waitUntil(resubscribe().catch(() => undefined))
})

/** Ends push on this device after a sign-out, and closes the notifications shown. */
export async function unsubscribeDevice(): Promise<void> {
  const subscription = await scope.registration.pushManager?.getSubscription().catch(() => null)
  await subscription?.unsubscribe()
  for (const shown of await scope.registration.getNotifications()) shown.close()
}
