import { CONTINENT_NAMES, continentOf, CRADLES } from '#features/challenges/places.ts'
import type { DogFacts } from '#features/challenges/facts.ts'
import type { Motif } from '#features/challenges/motifs.ts'
import type { Ground } from './drawings.ts'

/** What a badge counts of a dog: different things, never dogs. A shelf, where there are several, is filled by itself. */
export interface Counted {
  shelf?: string
  item: string
}

export interface Badge {
  key: string
  title: string
  /** How to get it, in a sentence. */
  text: string
  /** How many different things it takes. */
  target: number
  /** One of them, and several. */
  unit: readonly [one: string, many: string]
  motif: Motif
  ground: Ground
  /** Undefined: it is decided otherwise (`isOfWeeks`, `decide.server.ts`). */
  count?: (dog: DogFacts) => readonly Counted[]
  /** It counts week's challenges. */
  isOfWeeks?: true
}

type Count = NonNullable<Badge['count']>

const BREEDS_OF_GROUP = 10
const BREEDS_OF_PROVINCE = 12
const PROVINCES = 10
const SIZES = ['mini', 'pequeño', 'mediano', 'grande', 'gigante']
const FCI_GROUPS = 10
const BREEDS = ['raza', 'razas'] as const

const items = (...found: (string | null | false | undefined)[]): readonly Counted[] =>
  found.flatMap((item) => (item ? [{ item }] : []))
const breedOfGroup =
  (group: number): Count =>
  ({ breed }) =>
    items(breed.group === group && breed.slug)
const spanishBreed: Count = ({ breed }) => items(breed.countries.includes('España') && breed.slug)

const ofGroup = (group: number, title: string, name: string, motif: Motif): Badge => ({
  key: `group-${group}`,
  title,
  text: `Ten en tu álbum diez razas distintas de ${name}.`,
  target: BREEDS_OF_GROUP,
  unit: BREEDS,
  motif,
  ground: 'park',
  count: breedOfGroup(group),
})

/** The key of the badge that depends on the dogs of others. */
export const FIRST_OF_BREED = 'first-of-breed'

/** All badges but those of single weeks, in the order of their page. None counts dogs, likes, comments or days. */
export const BADGES: readonly Badge[] = [
  {
    key: FIRST_OF_BREED,
    title: 'La primera de su raza',
    text: 'Ten un perro de una raza que nadie más había traído antes.',
    target: 1,
    unit: BREEDS,
    motif: 'star',
    ground: 'sun',
  },
  {
    key: 'first-mixed',
    title: 'El primer mestizo',
    text: 'Ten un mestizo en tu álbum.',
    target: 1,
    unit: ['mestizo', 'mestizos'],
    motif: 'heart',
    ground: 'collar',
    count: ({ breed }) => items(breed.isMixed && breed.slug),
  },
  {
    key: 'all-sizes',
    title: 'De mini a gigante',
    text: 'Ten un perro de cada tamaño.',
    target: SIZES.length,
    unit: ['tamaño', 'tamaños'],
    motif: 'tall',
    ground: 'sky',
    count: ({ size }) => items(size !== null && SIZES.includes(size) && size),
  },
  {
    key: 'all-continents',
    title: 'La vuelta al mundo',
    text: 'Ten una raza de cada continente: África, América, Asia, Europa y Oceanía.',
    target: CONTINENT_NAMES.length,
    unit: ['continente', 'continentes'],
    motif: 'globe',
    ground: 'sky',
    count: ({ breed }) => items(...breed.countries.map(continentOf)),
  },
  {
    key: 'all-groups',
    title: 'Un poco de todo',
    text: 'Ten una raza de cada uno de los diez grupos de la FCI.',
    target: FCI_GROUPS,
    unit: ['grupo', 'grupos'],
    motif: 'paw',
    ground: 'plum',
    count: ({ breed }) => items(breed.group !== null && String(breed.group)),
  },
  {
    key: 'spanish-ten',
    title: 'De la casa',
    text: 'Ten diez razas españolas distintas.',
    target: 10,
    unit: BREEDS,
    motif: 'sun',
    ground: 'collar',
    count: spanishBreed,
  },
  {
    key: 'spanish-all',
    title: 'Todas las de la casa',
    text: `Ten todas las razas españolas: son ${Object.keys(CRADLES).length}.`,
    target: Object.keys(CRADLES).length,
    unit: BREEDS,
    motif: 'sun',
    ground: 'sun',
    count: spanishBreed,
  },
  {
    key: 'province-full',
    title: 'Provincia llena',
    text: 'Ten doce razas distintas vistas en una misma provincia.',
    target: BREEDS_OF_PROVINCE,
    unit: BREEDS,
    motif: 'pin',
    ground: 'sky',
    count: ({ breed, province }) => (province === '' || breed.isMixed ? [] : [{ shelf: province, item: breed.slug }]),
  },
  {
    key: 'ten-provinces',
    title: 'De aquí para allá',
    text: 'Ten perros vistos en diez provincias distintas.',
    target: PROVINCES,
    unit: ['provincia', 'provincias'],
    motif: 'mountain',
    ground: 'sky',
    count: ({ province }) => items(province),
  },
  {
    key: 'four-weeks',
    title: 'Un mes de retos',
    text: 'Completa el reto de la semana cuatro veces, seguidas o no.',
    target: 4,
    unit: ['reto', 'retos'],
    motif: 'flag',
    ground: 'plum',
    isOfWeeks: true,
  },
  {
    key: 'twelve-weeks',
    title: 'Doce retos',
    text: 'Completa el reto de la semana doce veces, cuando quieras.',
    target: 12,
    unit: ['reto', 'retos'],
    motif: 'flag',
    ground: 'sun',
    isOfWeeks: true,
  },
  ofGroup(1, 'El rebaño', 'pastores y boyeros', 'sheep'),
  ofGroup(2, 'La guardia', 'pinscher, schnauzer, molosos y boyeros suizos', 'shield'),
  ofGroup(3, 'Mucho carácter', 'terriers', 'bone'),
  ofGroup(5, 'Spitz y compañía', 'spitz y perros primitivos', 'snow'),
  ofGroup(6, 'Buenas narices', 'sabuesos y rastreadores', 'nose'),
  ofGroup(7, 'De muestra', 'perros de muestra', 'bird'),
  ofGroup(8, 'Al agua', 'cobradores, levantadores y perros de agua', 'water'),
  ofGroup(9, 'En el sofá', 'perros de compañía', 'home'),
  ofGroup(10, 'Como el viento', 'lebreles', 'runner'),
  {
    key: 'group-others',
    title: 'Fuera de serie',
    text: 'Ten en tu álbum diez razas distintas que la FCI no reconoce.',
    target: BREEDS_OF_GROUP,
    unit: BREEDS,
    motif: 'curl',
    ground: 'park',
    count: ({ breed }) => items(breed.group === null && !breed.isMixed && breed.slug),
  },
]

const byKey = new Map(BADGES.map((badge) => [badge.key, badge]))
export const badgeOf = (key: string): Badge | undefined => byKey.get(key)

/** «3 de 10 razas». */
export const progressText = ({ target, unit }: Badge, progress: number): string =>
  `${progress} de ${target} ${target === 1 ? unit[0] : unit[1]}`
