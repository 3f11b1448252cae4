/** What may be reported. A file of its own, so that browser code does not import the schemas of reports.ts. */
export const TARGET_KINDS = ['dog', 'photo', 'comment', 'profile', 'opinion'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** The kinds' slugs in addresses. */
export const SLUG_BY_TARGET_KIND: Record<TargetKind, string> = {
  dog: 'perro',
  photo: 'foto',
  comment: 'comentario',
  profile: 'perfil',
  opinion: 'opinion',
}

/** The kind of a slug; undefined for any other text. */
export const findTargetKind = (slug: string): TargetKind | undefined =>
  TARGET_KINDS.find((kind) => SLUG_BY_TARGET_KIND[kind] === slug)
