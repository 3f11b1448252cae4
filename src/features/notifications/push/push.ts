import { paths } from '#lib/paths.ts'

/** What a device is told, encrypted on its way: the service worker reads it (pwa/worker/push.client.ts). */
export interface PushMessage {
  title: string
  body: string
  /** The page it leads to. */
  path: string
  /** A later message with the same tag takes the place of this one. */
  tag: string
}

/** `GET /api/push` */
export interface PushState {
  /** The server's public key, which browsers ask for; null where the server sends nothing. */
  key: string | null
  /** The address of the device that this session turned on. */
  endpoint: string | null
}

/** How many devices a member may have; the one turned on longest ago makes room. */
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

/** A message as it came, or one that only says that there is something. */
export function readMessage(data: { json: () => unknown } | null): PushMessage {
  try {
    const message = data?.json() as Partial<PushMessage> | null | undefined
    const { title, body, path, tag } = message ?? {}
    const isWhole = [title, body, path, tag].every((text) => typeof text === 'string' && text !== '')
    return isWhole ? (message as PushMessage) : FALLBACK_MESSAGE
  } catch {
    return FALLBACK_MESSAGE
  }
}
