import type { FieldErrors } from '#lib/errors.ts'

/** The edit form's values and errors. */
export interface EditDraft {
  alias: string
  emoji: string
  errors: FieldErrors
  /** The error of the save itself; '' without one. */
  message: string
  /** Whether the address names the form (`?editar`): without script it is then open on the page. */
  open: boolean
}

/** Texts of the edit dialog (docs/product.md §9.3). */
export const EDIT_TEXTS = {
  saved: 'Perfil actualizado',
  failed: 'Error al guardar el perfil',
  offline: 'No se pudo conectar con el servidor.',
  checking: 'Comprobando…',
  free: 'Disponible',
  losesBadge: 'Si cambias de alias, tu perfil dejará de estar verificado.',
  noEmojis: 'No se pudieron cargar los emojis. Inténtalo de nuevo.',
} as const

/** Title of a profile's page that could not be loaded (docs/product.md §9.2). */
export const LOAD_FAILED = 'No se pudo cargar el perfil'
