/** What may be reported. Apart from reports.ts, so that the browser's half brings no schema along. */
export const TARGET_KINDS = ['dog', 'photo', 'comment', 'profile'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** How an address calls them. */
export const TARGET_KIND_BY_SLUG: Record<string, TargetKind> = {
  perro: 'dog',
  foto: 'photo',
  comentario: 'comment',
  perfil: 'profile',
}
