import type * as z from 'zod/mini'
import { textSchema } from '#features/moderation/text-schema.ts'
import type { threadAnswer } from './answers.ts'

export type ContactSide = 'member' | 'finder'

/** The longest message, in characters as a person counts them. */
export const MESSAGE_LIMIT = 500
/** Messages of one conversation, of both sides together. */
export const MAX_MESSAGES_PER_THREAD = 200
/** Messages of one member, or of one network without account. */
export const MESSAGES_PER_HOUR = 60
/** How long the copy of a reported message is kept, also after its conversation has ended. */
export const REPORTED_MESSAGE_DAYS = 90
/** How long the link is valid that confirms a finder's address. */
export const CONFIRM_HOURS = 24
/** Between two mails about one conversation to one side. */
export const MAIL_PAUSE_MINUTES = 60
/** Conversations of one page of their list. */
export const THREADS_PAGE_SIZE = 30

/** What a conversation is about, after «por»: «Toby», «un perro encontrado». */
export const aboutText = ({ kind, dog }: Pick<ContactThread, 'kind' | 'dog'>): string =>
  dog ?? (kind === 'lost' ? 'un perro perdido' : 'un perro encontrado')

/** How a finder without account is named to a member. */
export const NAMELESS_FINDER = 'Quien avisó'

/** A conversation as one of its two sides is shown it. */
export type ContactThread = z.output<typeof threadAnswer>

/** Why nothing can be written in a conversation; null: it can. */
export type ClosedReason = NonNullable<ContactThread['stop']>

/** Whether a side is mailed about a thread. */
export interface MailWish {
  /** `pending`: they have not confirmed the address yet. */
  state: 'off' | 'pending' | 'on'
  /** Mailed at their account's address, which nobody types. */
  hasAccount: boolean
}

/** A conversation's page, with what became of the form that was sent to it. */
export interface ThreadPage {
  status: number
  /** Null: it has ended, or is others'. */
  thread: ContactThread | null
  /** Null where the site sends no mails. */
  mails: MailWish | null
  /** What was typed and not sent. */
  typed: string
  /** The form that was refused, and why. */
  refused: string | null
  problem: string | null
  /** What a form did. */
  done: 'enviado' | 'denunciado' | 'avisos' | null
}

/** A conversation in the list of one of its two sides. */
export interface ListedThread {
  id: string
  kind: ContactThread['kind']
  dog: string | null
  other: string
  /** Whether the other side has written since the reader last looked. */
  isUnread: boolean
  latestAt: number
}

export const CONTACT_TEXTS = {
  empty: 'Escribe un mensaje.',
  long: `El mensaje no puede tener más de ${MESSAGE_LIMIT} caracteres.`,
  gone: 'Esta conversación no existe o terminó con el aviso.',
  many: 'Has escrito muchos mensajes seguidos. Espera un rato, por favor.',
  action: 'No se sabe qué hacer con esta conversación.',
  noMessage: 'Este mensaje ya no existe.',
  ownMessage: 'No puedes denunciar un mensaje tuyo.',
  reported: 'Gracias por avisar. Lo revisaremos.',
  manyReports: 'Has denunciado muchos mensajes seguidos. Espera un rato, por favor.',
  manyAddresses: 'Has pedido muchos emails seguidos. Espera un rato, por favor.',
  noMailer: 'Este sitio no puede enviar emails ahora.',
  noAddress: 'Escribe tu email.',
  noEmail: 'Tu cuenta no tiene email. Añádelo en tu cuenta.',
} as const

export const CLOSED_TEXTS: Record<ClosedReason, string> = {
  unanswered: 'Cuando su familia te escriba, podrás contestar aquí.',
  ended: 'Esta conversación ha terminado: ya nadie puede escribir en ella.',
  blocked: 'No puedes hacerlo: uno de los dos ha bloqueado al otro.',
  away: 'Ahora no se puede escribir aquí: la otra persona no está.',
  hidden: 'Ahora no se puede escribir aquí: el aviso no está publicado.',
  full: 'Esta conversación ya no admite más mensajes.',
}

export const messageSchema = textSchema(MESSAGE_LIMIT, { long: CONTACT_TEXTS.long, none: CONTACT_TEXTS.empty })
