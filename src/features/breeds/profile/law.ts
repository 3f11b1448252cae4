/**
 * Spain's rules for dogs that the law calls potentially dangerous, as of LAW_REVIEWED_AT: Ley 50/1999, Real Decreto 287/2002 (annex I
 * names eight breeds and their crosses, annex II traits), and Ley 7/2023, which left them in force.
 */
export const LAW_REVIEWED_AT = 'noviembre de 2026'

/** `listed`: in annex I. `often-included`: not in it, but authorities and communities often count it. */
export type DangerousDogStatus = 'listed' | 'often-included'

const STATUS_BY_SLUG: Readonly<Record<string, DangerousDogStatus>> = {
  'american-pit-bull-terrier': 'listed',
  'staffordshire-bull-terrier': 'listed',
  'american-staffordshire-terrier': 'listed',
  rottweiler: 'listed',
  'dogo-argentino': 'listed',
  'fila-brasileno': 'listed',
  'tosa-inu': 'listed',
  'akita-inu': 'listed',
  'akita-americano': 'often-included',
}

/** The slugs of the breeds that carry a badge. */
export const dangerousDogSlugs: readonly string[] = Object.keys(STATUS_BY_SLUG)

/** The breed's place in Spain's rules; undefined for breeds that they do not name. */
export const dangerousDogStatus = (slug: string): DangerousDogStatus | undefined => STATUS_BY_SLUG[slug]

export const DANGEROUS_DOG_BADGES: Readonly<Record<DangerousDogStatus, string>> = {
  listed: 'En España: perro potencialmente peligroso',
  'often-included': 'En España: las autoridades suelen incluirlo entre los potencialmente peligrosos',
}

/** The official texts. */
export const LAW_SOURCES = [
  { name: 'Ley 50/1999', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-1999-24419' },
  { name: 'Real Decreto 287/2002', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2002-6016' },
  { name: 'Ley 7/2023', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2023-7936' },
] as const
