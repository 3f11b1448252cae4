import { paths } from '#lib/paths.ts'
import { endMarkRead, beginMarkRead } from './bell.ts'
import { $bell, receiveNotifications } from './bell.store.ts'
import type { NotificationList, UnreadCount } from '#features/notifications/notifications.ts'

/** A request is aborted after this, ms. */
const REQUEST_TIMEOUT_MS = 10_000

/** @throws Error with a message to show: the `detail` of the answer's problem+json where there is one */
async function requestJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  let response: Response
  try {
    const headers = { Accept: 'application/json', ...init.headers }
    response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...init, headers })
  } catch {
    throw new Error('No se pudo conectar con el servidor.')
  }
  const body: unknown = await response.json().catch(() => null)
  // The server's answers are tested against their schemas.
  if (response.ok && body) return body as T
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  throw new Error(typeof detail === 'string' ? detail : 'Error inesperado. Intenta de nuevo.')
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Loads the newest notifications. @returns the error message to show; null on success (docs/product.md §14.1: also logged) */
export async function loadBell(): Promise<string | null> {
  try {
    await receiveNotifications(() => requestJson<NotificationList>(paths.api.notifications))
    return null
  } catch (error) {
    console.error('Error fetching notifications:', error)
    return `No se pudieron cargar las notificaciones. ${errorMessage(error)}`
  }
}

/** Marks one notification read optimistically, and rolls back on failure. @returns the error message to show; null on success */
export async function markNotificationRead(id: string): Promise<string | null> {
  $bell.set(beginMarkRead($bell.get(), id))
  const init = { method: 'PATCH', body: '{"is_read":true}', headers: { 'Content-Type': 'application/json' } }
  try {
    // keepalive: the page may be navigating to the notification's target.
    const { unread } = await requestJson<UnreadCount>(paths.api.notification(id), { ...init, keepalive: true })
    $bell.set(endMarkRead($bell.get(), id, unread))
    return null
  } catch (error) {
    $bell.set(endMarkRead($bell.get(), id))
    console.error('Error marking notification as read:', error)
    return `No se pudo marcar como leída. ${errorMessage(error)}`
  }
}

/** `markNotificationRead` for all notifications. */
export async function markAllNotificationsRead(): Promise<string | null> {
  $bell.set(beginMarkRead($bell.get(), 'all'))
  try {
    const { unread } = await requestJson<UnreadCount>(paths.api.notificationsReadAll, { method: 'POST' })
    $bell.set(endMarkRead($bell.get(), 'all', unread))
    return null
  } catch (error) {
    $bell.set(endMarkRead($bell.get(), 'all'))
    console.error('Error marking all notifications as read:', error)
    return `No se pudieron marcar como leídas. ${errorMessage(error)}`
  }
}
