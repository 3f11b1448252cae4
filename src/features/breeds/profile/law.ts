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
  'american-bully': 'often-included',
}

/** Why authorities count breeds that are not in annex I, after «no está en la lista, pero»; ends the sentence. */
export const WHY_OFTEN_INCLUDED: Readonly<Record<string, string>> = {
  'akita-americano':
    'las autoridades suelen incluirla: por su parecido con el akita inu, que sí está, o por los rasgos del anexo II.',
  'american-bully':
    'desciende del american pit bull terrier y del american staffordshire terrier, que sí están, y el anexo I incluye los cruces de las dos. Por eso las autoridades suelen incluirla: cuenta con licencia, seguro, bozal y correa corta.',
}

/** The slugs of the breeds that carry a badge. */
export const dangerousDogSlugs: readonly string[] = Object.keys(STATUS_BY_SLUG)

/** The breed's place in Spain's rules; undefined for breeds that they do not name. */
export const dangerousDogStatus = (slug: string): DangerousDogStatus | undefined => STATUS_BY_SLUG[slug]

/** The badge of a breed's page. */
export const DANGEROUS_DOG_BADGES: Readonly<Record<DangerousDogStatus, string>> = {
  listed: 'En España: perro potencialmente peligroso',
  'often-included': 'En España: las autoridades suelen incluirlo entre los potencialmente peligrosos',
}

/** A rule of an autonomous community that adds breeds to the eight. */
export interface RegionalList {
  region: string
  source: { name: string; url?: string }
  slugs: readonly string[]
}

/**
 * The communities whose lists were confirmed: Cataluña and Galicia by the consolidated texts in the BOE; the Comunidad Valenciana by
 * the city councils of València and Alicante, which list its fifteen breeds; Andalucía by secondary sources. Others may have
 * lists as well (UNCHECKED_REGIONS). Only «bull terrier» is named, so that the miniature is on none.
 */
export const REGIONAL_LISTS: readonly RegionalList[] = [
  {
    region: 'Andalucía',
    source: { name: 'Decreto 42/2008, de 12 de febrero (BOJA del 7 de marzo de 2008)' },
    slugs: ['doberman'],
  },
  {
    region: 'Cataluña',
    source: {
      name: 'Ley 10/1999, de 30 de julio, artículo 1',
      url: 'https://www.boe.es/buscar/act.php?id=BOE-A-1999-18004',
    },
    slugs: ['bullmastiff', 'doberman', 'dogo-de-burdeos', 'mastin-napolitano', 'presa-canario'],
  },
  {
    region: 'la Comunidad Valenciana',
    source: { name: 'Decreto 145/2000, de 26 de septiembre, modificado por el Decreto 16/2015' },
    slugs: [
      'bull-terrier',
      'bullmastiff',
      'ca-de-bou',
      'doberman',
      'dogo-de-burdeos',
      'mastin-napolitano',
      'presa-canario',
    ],
  },
  {
    region: 'Galicia',
    source: {
      name: 'Ley 4/2017, de 3 de octubre, artículo 16',
      url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2017-12357',
    },
    slugs: [
      'bull-terrier',
      'bullmastiff',
      'ca-de-bou',
      'doberman',
      'dogo-de-burdeos',
      'mastin-napolitano',
      'mastin-tibetano',
      'presa-canario',
    ],
  },
]

/** Said wherever the rules of communities are: secondary sources contradict each other on these. */
export const UNCHECKED_REGIONS =
  'No hemos podido comprobar si Illes Balears, Cantabria, Extremadura y Melilla añaden razas.'

/** The communities that add the breed to the list; none for the eight breeds, which are listed everywhere. */
export const regionsListing = (slug: string): readonly RegionalList[] =>
  REGIONAL_LISTS.filter(({ slugs }) => slugs.includes(slug))

const spanishList = new Intl.ListFormat('es')

/** «Cataluña y Galicia»; '' where no community is known to list the breed. */
export const regionsText = (slug: string): string =>
  spanishList.format(regionsListing(slug).map(({ region }) => region))

/** The official texts. */
export const LAW_SOURCES = [
  { name: 'Ley 50/1999', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-1999-24419' },
  { name: 'Real Decreto 287/2002', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2002-6016' },
  { name: 'Ley 7/2023', url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2023-7936' },
] as const
