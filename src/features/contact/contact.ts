import { textSchema } from '#features/moderation/text-schema.ts'
import type { TextWarning } from './text-warning.ts'

export type ContactSide = 'member' | 'finder'

/** The longest message, in characters as a person counts them. */
export const MESSAGE_LIMIT = 500
/** Messages of one conversation, of both sides together. */
export const MAX_MESSAGES_PER_THREAD = 200

/** A message as a reader is shown it. */
export interface ContactMessage {
  id: string
  /** Whether the reader wrote it. */
  mine: boolean
  text: string
  warning: TextWarning | null
  created_at: number
}

/** Why nothing can be written in a conversation; null: it can. */
export type ThreadStop = 'blocked' | 'away' | 'hidden' | 'full'

export interface ContactThread {
  id: string
  side: ContactSide
  /** The dog's name; null of a found dog, which has none. */
  dog: string | null
  /** How the reader is told of the other side. */
  other: string
  stop: ThreadStop | null
  messages: ContactMessage[]
}

export const CONTACT_TEXTS = {
  empty: 'Escribe un mensaje.',
  long: `El mensaje no puede tener más de ${MESSAGE_LIMIT} caracteres.`,
  gone: 'Esta conversación no existe o terminó con el aviso.',
  many: 'Has escrito muchos mensajes seguidos. Espera un rato, por favor.',
} as const

export const STOP_TEXTS: Record<ThreadStop, string> = {
  blocked: 'No puedes hacerlo: uno de los dos ha bloqueado al otro.',
  away: 'Ahora no se puede escribir aquí: la otra persona no está.',
  hidden: 'Ahora no se puede escribir aquí: el aviso no está publicado.',
  full: 'Esta conversación ya no admite más mensajes.',
}

export const messageSchema = textSchema(MESSAGE_LIMIT, { long: CONTACT_TEXTS.long, none: CONTACT_TEXTS.empty })
