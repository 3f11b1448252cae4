import type * as z from 'zod/mini'
import { paths } from '#lib/paths.ts'
import type { pushStateAnswer } from '../answers.ts'

/** The payload of a push message, encrypted in transit; read by the service worker (pwa/worker/push.client.ts). */
export interface PushMessage {
  title: string
  body: string
  /** The page it leads to. */
  path: string
  /** A later message with the same tag replaces this one. */
  tag: string
  /** The path of a picture, for devices that show one. */
  image?: string
}

/** `GET /api/push` */
export type PushState = z.output<typeof pushStateAnswer>

/** The most devices per member; beyond that the oldest subscription is deleted. */
export const DEVICES_MAX = 10

export const PUSH_TEXTS = {
  wrong: 'Este navegador no ha dado una dirección de avisos válida.',
  host: 'Este navegador usa un servicio de avisos que no conocemos.',
  off: 'Este sitio no envía avisos a dispositivos.',
} as const

const FALLBACK_MESSAGE: PushMessage = {
  title: 'Perrario',
  body: 'Tienes avisos nuevos.',
  path: paths.notifications,
  tag: 'aviso',
}

/** Parses a message; a generic one where the data is missing or malformed. */
export function readMessage(data: { json: () => unknown } | null): PushMessage {
  try {
    const message = data?.json() as Partial<PushMessage> | null | undefined
    const { title, body, path, tag } = message ?? {}
    const isComplete = [title, body, path, tag].every((text) => typeof text === 'string' && text !== '')
    return isComplete ? (message as PushMessage) : FALLBACK_MESSAGE
  } catch {
    return FALLBACK_MESSAGE
  }
}
