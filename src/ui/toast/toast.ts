/**
 * Two kinds of message, with the numbers of docs/product.md §21.1. A message in two parts (title and text) is `dialog`: one at a
 * time, 5 s. A single sentence is `stack`: three shown, 4 s. So «Error al cargar perros», «Error de red», «Error de
 * autenticación», «Error al iniciar sesión con …», «Error al cerrar sesión», «Sesión cerrada correctamente», «Perro
 * asociado» and «¡Enlace copiado!» (2 s) are dialogs; «¡Enlace mágico enviado! …» stands with them, out of the code field's way; «Por
 * favor, introduce tu email», «Introduce un email válido», «Perfil actualizado», «Error al guardar el perfil» and the like are stacked.
 */
export interface ToastOptions {
  title: string
  text?: string | undefined
  kind?: 'info' | 'success' | 'error' | undefined
  /** By default `dialog` with a text, `stack` without. */
  style?: ToastStyle | undefined
  /** Time until it disappears, ms. */
  duration?: number | undefined
  /** The form that it is about: typing in it, or sending it again, makes an error obsolete and dismisses it. */
  form?: HTMLElement | undefined
  /** Whether a pointer on it does not pause its timer. */
  ignoresPointer?: boolean | undefined
}
export type ToastStyle = 'dialog' | 'stack'

export const DIALOG_DURATION_MS = 5000
export const STACK_DURATION_MS = 4000
export const STACK_MAX_TOASTS = 3
export const STACK_GAP_PX = 14
export const STACK_WIDTH_PX = 356
/** A swipe further than this dismisses, px. */
export const SWIPE_DISMISS_PX = 20

/** `options` with the defaults of `toast()`. */
export function applyToastDefaults(options: ToastOptions) {
  const style = options.style ?? (options.text ? 'dialog' : 'stack')
  return {
    ...options,
    style,
    kind: options.kind ?? ('info' as const),
    duration: options.duration ?? (style === 'dialog' ? DIALOG_DURATION_MS : STACK_DURATION_MS),
  }
}
