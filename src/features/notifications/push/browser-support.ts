/** The features of a browser. */
export interface BrowserTraits {
  /** The browser has service workers, push and notifications. */
  canPush: boolean
  userAgent: string
  touchPoints: number
}

/** Whether the browser can show notifications; `ios`: only the installed app can. */
export function pushSupport({ canPush, userAgent, touchPoints }: BrowserTraits): 'yes' | 'ios' | 'no' {
  if (canPush) return 'yes'
  // iPads call themselves Macs, but Macs have no touch screen.
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1) ? 'ios' : 'no'
}

/** The texts about notifications on this device. */
export const DEVICE_TEXTS = {
  name: 'Avisos en este dispositivo',
  settings: 'Ajustes de los avisos',
  ios: 'En iPhone y iPad, añade antes Perrario a la pantalla de inicio y enciéndelos allí.',
  no: 'Este navegador no sabe mostrar avisos.',
  denied: 'Los tienes bloqueados. Permite las notificaciones de este sitio en los ajustes del navegador.',
  failed: 'No se pudieron encender los avisos. Intenta de nuevo.',
  notOff: 'No se pudieron apagar los avisos. Intenta de nuevo.',
} as const
