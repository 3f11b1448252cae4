/** Of the edit modal (docs/product.md §9.3). */
export const EDIT_TEXTS = {
  saved: 'Perfil actualizado',
  failed: 'Error al guardar el perfil',
  offline: 'No se pudo conectar con el servidor.',
  checking: 'Comprobando…',
  free: 'Disponible',
  noEmojis: 'No se pudieron cargar los emojis. Inténtalo de nuevo.',
} as const

/** What a profile's page says when it cannot be read (docs/product.md §9.2). */
export const LOAD_FAILED = 'No se pudo cargar el perfil'
