import { paths } from '#lib/paths.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import type { NotificationType } from '../notifications.ts'
import type { PushMessage } from './push.ts'

/** A notification of the bell, as it is pushed to a device. */
export interface PushedNotification {
  id: string
  type: NotificationType
  title: string
  content: string
  /** The dog's page. */
  path: string | null
  /** The path of a picture. */
  image?: string | null
}

/** Fits into a message in any script: push services accept 4,096 bytes, with the overhead of encryption. */
const BODY_MAX_BYTES = 2000
const TITLE_MAX_CHARS = 80
const BODY_MAX_CHARS = 240

/** Truncates to a number of grapheme clusters and of UTF-8 bytes. */
function truncate(text: string, characters: number, bytes: number): string {
  let limit = characters
  let short = truncateCharacters(text, limit)
  while (new TextEncoder().encode(short).length > bytes)
    short = truncateCharacters(text, (limit = Math.floor(limit * 0.7)))
  return short === text ? text : `${short.trimEnd()}…`
}

/** A message for one notification. Its tag is the notification's id, so that a device shows one for all likes of a dog. */
export const notificationMessage = ({ id, type, title, content, path, image }: PushedNotification): PushMessage => ({
  title: truncate(title, TITLE_MAX_CHARS, 400),
  body: truncate(content, BODY_MAX_CHARS, BODY_MAX_BYTES),
  path: path ? `${path}${type === 'comment' ? '#comentarios' : ''}` : paths.notifications,
  tag: id,
  ...(image && { image }),
})

/** One message for many notifications (newest first): after quiet hours, or when much happens at once. */
export function summaryMessage(notifications: readonly PushedNotification[]): PushMessage {
  const [first, second] = notifications.map(({ content }) => truncate(content, 100, 800))
  const moreCount = notifications.length - 2
  return {
    title: `${notifications.length} avisos nuevos`,
    body: [first, second, moreCount > 0 ? `Y ${moreCount} más.` : ''].filter(Boolean).join('\n'),
    path: paths.notifications,
    tag: 'resumen',
  }
}
