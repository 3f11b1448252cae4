import { paths } from '#lib/paths.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import type { NotificationType } from '../notifications.ts'
import type { PushMessage } from './push.ts'

/** A line of the bell as a device is told of it. */
export interface PushedNotification {
  id: string
  type: NotificationType
  title: string
  content: string
  /** The dog's page. */
  path: string | null
}

/** What fits into a message in any script: its services take 4,096 bytes, some of them for the encryption. */
const BODY_MAX_BYTES = 2000
const TITLE_MAX_CHARS = 80
const BODY_MAX_CHARS = 240

/** Characters as a person counts them, and bytes as the services do. */
function truncate(text: string, characters: number, bytes: number): string {
  let limit = characters
  let short = truncateCharacters(text, limit)
  while (new TextEncoder().encode(short).length > bytes)
    short = truncateCharacters(text, (limit = Math.floor(limit * 0.7)))
  return short === text ? text : `${short.trimEnd()}…`
}

/** One line as a message; the lines of one dog's likes are one line, so a device shows one. */
export const notificationMessage = ({ id, type, title, content, path }: PushedNotification): PushMessage => ({
  title: truncate(title, TITLE_MAX_CHARS, 400),
  body: truncate(content, BODY_MAX_CHARS, BODY_MAX_BYTES),
  path: path ? `${path}${type === 'comment' ? '#comentarios' : ''}` : paths.notifications,
  tag: id,
})

/** Many lines in one message, newest first: after a night, or when much happens at once. */
export function summaryMessage(lines: readonly PushedNotification[]): PushMessage {
  const [first, second] = lines.map(({ content }) => truncate(content, 100, 800))
  const more = lines.length - 2
  return {
    title: `${lines.length} avisos nuevos`,
    body: [first, second, more > 0 ? `Y ${more} más.` : ''].filter(Boolean).join('\n'),
    path: paths.notifications,
    tag: 'resumen',
  }
}
