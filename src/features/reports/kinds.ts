/** What may be reported. Apart from reports.ts, so that the browser's half brings no schema along. */
export const KINDS = ['dog', 'photo', 'comment', 'profile'] as const
export type ThingKind = (typeof KINDS)[number]

/** How an address calls them. */
export const KIND_WORDS: Record<string, ThingKind> = {
  perro: 'dog',
  foto: 'photo',
  comentario: 'comment',
  perfil: 'profile',
}
