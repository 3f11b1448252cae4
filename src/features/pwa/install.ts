/** Where a device remembers «No mostrar más» and an accepted installation, and for one visit «Ahora no». */
export const INSTALL_KEY = 'perrario-instalar'

export const INSTALL_TEXTS = {
  title: 'Lleva Perrario en el bolsillo',
  text: 'Se abre como una app y funciona también sin conexión.',
  install: 'Instalar',
  later: 'Ahora no',
  never: 'No mostrar más',
  /** Safari on iPhone and iPad installs by hand; between the two stands the drawn button. */
  byHand: ['Pulsa Compartir', 'y después «Añadir a pantalla de inicio».'],
} as const

/**
 * Safari on iPhone or iPad, which offers no installation to pages. iPads call themselves Macs, but Macs have no touch
 * screen. Other browsers there name themselves and may not be able to install.
 */
export const isIosSafari = (userAgent: string, touchPoints: number): boolean =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) &&
  /Safari\//.test(userAgent) &&
  !/CriOS|FxiOS|EdgiOS|OPT\/|GSA\//.test(userAgent)
