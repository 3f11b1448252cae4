import { paths } from '#lib/paths.ts'
import { marked, marking } from './bell.ts'
import { $bell, receiveNotifications } from './bell.store.ts'
import type { NotificationList } from '#features/notifications/notifications.ts'

/** An answer later than this is none. */
const REQUEST_TIMEOUT_MS = 10_000

/** @throws Error with a sentence to show: the server's own where it has one */
async function requestJson(url: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response
  try {
    const headers = { Accept: 'application/json', ...init.headers }
    response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...init, headers })
  } catch {
    throw new Error('No se pudo conectar con el servidor.')
  }
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && body) return body
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  throw new Error(typeof detail === 'string' ? detail : 'Error inesperado. Intenta de nuevo.')
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Asks for the newest lines. @returns what to tell the person where it failed (docs/product.md §14.1: the console too) */
export async function loadBell(): Promise<string | null> {
  try {
    await receiveNotifications(async () => (await requestJson(paths.api.notifications)) as NotificationList)
    return null
  } catch (error) {
    console.error('Error fetching notifications:', error)
    return `No se pudieron cargar las notificaciones. ${errorMessage(error)}`
  }
}

/** Marks one line read at once, and unread again if the server does not. @returns what to tell the person */
export async function markNotificationRead(id: string): Promise<string | null> {
  $bell.set(marking($bell.get(), id))
  const init = { method: 'PATCH', body: '{"is_read":true}', headers: { 'Content-Type': 'application/json' } }
  try {
    // The page may be on its way to where the line leads.
    const { unread } = (await requestJson(paths.api.notification(id), { ...init, keepalive: true })) as {
      unread: number
    }
    $bell.set(marked($bell.get(), id, unread))
    return null
  } catch (error) {
    $bell.set(marked($bell.get(), id))
    console.error('Error marking notification as read:', error)
    return `No se pudo marcar como leída. ${errorMessage(error)}`
  }
}

/** The same with every line. */
export async function markAllNotificationsRead(): Promise<string | null> {
  $bell.set(marking($bell.get(), 'all'))
  try {
    const { unread } = (await requestJson(paths.api.notificationsReadAll, { method: 'POST' })) as { unread: number }
    $bell.set(marked($bell.get(), 'all', unread))
    return null
  } catch (error) {
    $bell.set(marked($bell.get(), 'all'))
    console.error('Error marking all notifications as read:', error)
    return `No se pudieron marcar como leídas. ${errorMessage(error)}`
  }
}
