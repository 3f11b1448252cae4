export const INSTALL_TEXTS = {
  title: 'Lleva Perrario en el bolsillo',
  text: 'Se abre como una app y funciona también sin conexión.',
  install: 'Instalar',
  later: 'Ahora no',
  never: 'No mostrar más',
  /** Manual steps for Safari on iPhone and iPad; the icon of its share button comes between the two. */
  byHand: ['Pulsa Compartir', 'y después «Añadir a pantalla de inicio».'],
} as const

/**
 * Whether this is Safari on iPhone or iPad, which has no install prompt. iPads identify as Macs, but Macs have no touch
 * screen. Other browsers there have their own names and may not be able to install.
 */
export const isIosSafari = (userAgent: string, touchPoints: number): boolean =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) &&
  /Safari\//.test(userAgent) &&
  !/CriOS|FxiOS|EdgiOS|OPT\/|GSA\//.test(userAgent)
