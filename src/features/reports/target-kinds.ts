/** What may be reported. A file of its own, so that browser code does not import the schemas of reports.ts. */
export const TARGET_KINDS = ['dog', 'photo', 'comment', 'profile'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** The kinds' slugs in addresses. */
export const TARGET_KIND_BY_SLUG: Record<string, TargetKind> = {
  perro: 'dog',
  foto: 'photo',
  comentario: 'comment',
  perfil: 'profile',
}
