import { formatDate } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import type { MemberYear, YearDog } from './years.ts'

/** The eight cards, in order; the names are the pictures' addresses. */
export const CARD_NAMES = ['portada', 'perros', 'razas', 'foto', 'fan', 'ranking', 'primero', 'ultimo'] as const
export type CardName = (typeof CARD_NAMES)[number]

export const isCardName = (text: string): text is CardName => (CARD_NAMES as readonly string[]).includes(text)

/** What a card shows; `cardWords` is its text alternative. */
export interface YearCard {
  name: CardName
  title: string
  /** What stands out: a number, or a name. */
  figure: string
  text: string
  dogs: readonly YearDog[]
  /** Bars with their labels, most first. */
  rows: readonly { label: string; count: number }[]
  /** Breeds first seen in each province, by its number; null on cards without a map. */
  provinces: readonly { id: string; name: string; breeds: number }[] | null
}

/** Who looks: the member, or others who have the link. To others, as on every picture, nobody but the member is named. */
export type Audience = 'member' | 'others'

const count = (n: number, one: string, many: string) => `${formatCount(n)} ${n === 1 ? one : many}`

/** Builds the eight cards of a year that is not empty. */
export function toYearCards(year: MemberYear, audience: Audience): YearCard[] {
  return CARD_NAMES.map((name) => ({
    name,
    dogs: [],
    rows: [],
    provinces: null,
    ...BUILDERS[name](year, audience === 'member'),
  }))
}

export const toYearCard = (year: MemberYear, name: CardName, audience: Audience): YearCard =>
  toYearCards(year, audience).find((card) => card.name === name)!

type Built = Pick<YearCard, 'title' | 'figure' | 'text'> & Partial<YearCard>

const BUILDERS: Record<CardName, (year: MemberYear, isOwn: boolean) => Built> = {
  portada: (year, isOwn) => ({
    title: isOwn ? 'Tu año en perros' : `El año en perros de ${year.alias}`,
    figure: String(year.year),
    text: `${count(year.owned + year.discovered, 'perro nuevo', 'perros nuevos')}, ${count(year.newBreeds.length, 'raza nueva', 'razas nuevas')} y ${count(year.likes, 'like', 'likes')}.`,
    dogs: distinctDogs([year.liked?.dog, year.last, year.first]),
  }),
  perros: ({ owned, discovered, year }, isOwn) => ({
    title: isOwn ? 'Perros de tu año' : 'Perros del año',
    figure: formatCount(owned + discovered),
    text: dogsText(year, { owned, discovered }, isOwn),
    rows:
      owned > 0 && discovered > 0
        ? [
            { label: isOwn ? 'Tuyos' : 'Suyos', count: owned },
            { label: 'Descubiertos', count: discovered },
          ].toSorted((a, b) => b.count - a.count)
        : [],
  }),
  razas: ({ newBreeds, provinces, year }, isOwn) => ({
    title: isOwn ? 'Razas nuevas en tu álbum' : 'Razas nuevas en el álbum',
    figure: formatCount(newBreeds.length),
    text: breedsText(
      year,
      newBreeds.map(({ name }) => name),
      provinces,
    ),
    provinces,
  }),
  foto: ({ liked, year }) =>
    liked
      ? {
          title: 'La foto más querida',
          figure: liked.dog.name,
          text: `${count(liked.likes, 'like', 'likes')} en ${year} para ${liked.dog.name}, ${liked.dog.breed}.`,
          dogs: [liked.dog],
        }
      : {
          title: 'La foto más querida',
          figure: '—',
          text: `En ${year} ninguna foto tuvo likes. La próxima vez, más.`,
        },
  fan: ({ fan, year }, isOwn) =>
    fan
      ? {
          title: isOwn ? 'Quien más te ha querido' : 'Quien más ha querido a sus perros',
          figure: isOwn ? fan.alias : count(fan.likes, 'like', 'likes'),
          text: isOwn
            ? `${count(fan.likes, 'like', 'likes')} a tus perros en ${year}.`
            : `De una sola persona, a sus perros, en ${year}.`,
        }
      : {
          title: isOwn ? 'Quien más te ha querido' : 'Quien más ha querido a sus perros',
          figure: '—',
          text: isOwn ? 'Todavía nadie. Tus perros sí, y mucho.' : 'Todavía nadie. Sus perros sí, y mucho.',
        },
  ranking: ({ breeds, breedCount, year }, isOwn) => ({
    title: isOwn ? 'Tus razas del año' : 'Sus razas del año',
    figure: count(breedCount, 'raza', 'razas'),
    text: breeds[0]
      ? `La que más: ${breeds[0].name}, con ${count(breeds[0].dogs, 'perro', 'perros')}.`
      : noDogsText(year),
    rows: breeds.map(({ name, dogs }) => ({ label: name, count: dogs })),
  }),
  primero: ({ first, year }) => dogCard('El primero del año', first, year),
  ultimo: ({ first, last, year }) =>
    last && last.id === first?.id
      ? {
          ...dogCard('Y el último del año', last, year),
          text: `El primero y el último: solo estuvo ${last.name}. Y bastó.`,
        }
      : dogCard('El último del año', last, year),
}

const noDogsText = (year: number) => `En ${year} no entró ningún perro en el álbum.`

function dogCard(title: string, dog: YearDog | null, year: number): Built {
  if (!dog) return { title, figure: '—', text: noDogsText(year) }
  return { title, figure: dog.name, text: `${dog.breed}. Llegó el ${formatDate(dog.addedAt)}.`, dogs: [dog] }
}

function dogsText(
  year: number,
  { owned, discovered }: Pick<MemberYear, 'owned' | 'discovered'>,
  isOwn: boolean,
): string {
  if (owned + discovered === 0) return `En ${year} no entró ninguno en el álbum: los de siempre ya daban trabajo.`
  const mine = (n: number) => (isOwn ? count(n, 'tuyo', 'tuyos') : count(n, 'suyo', 'suyos'))
  const found = `${count(discovered, 'descubierto', 'descubiertos')} por ahí`
  if (owned === 0) return `${found}.`
  return discovered === 0 ? `${mine(owned)}.` : `${mine(owned)} y ${found}.`
}

/** Names that a card has room for. */
const NAMED_BREEDS = 4
const NAMED_PROVINCES = 3

function breedsText(year: number, names: readonly string[], provinces: MemberYear['provinces']): string {
  if (names.length === 0) return `En ${year} no hubo razas nuevas. Siempre queda alguna por ver.`
  const rest = names.length - NAMED_BREEDS
  const named = names.slice(0, NAMED_BREEDS)
  const list = rest > 0 ? `${named.join(', ')} y ${formatCount(rest)} más` : new Intl.ListFormat('es').format(named)
  const places = provinces.slice(0, NAMED_PROVINCES).map(({ name, breeds }) => `${name} (${formatCount(breeds)})`)
  if (provinces.length > NAMED_PROVINCES) places.push('más sitios')
  return `${list}.${places.length > 0 ? ` Vistas en ${new Intl.ListFormat('es').format(places)}.` : ''}`
}

const distinctDogs = (dogs: readonly (YearDog | null | undefined)[]): YearDog[] => [
  ...new Map(dogs.filter((dog) => dog != null).map((dog) => [dog.id, dog])).values(),
]

/** The card as text, the alternative of its picture. */
export const cardWords = ({ name, title, figure, text, rows }: YearCard): string =>
  [
    `${title}: ${figure}.`,
    text,
    name !== 'perros' &&
      rows.length > 1 &&
      `${rows.map(({ label, count: n }) => `${label}, ${formatCount(n)}`).join('; ')}.`,
  ]
    .filter(Boolean)
    .join(' ')

/** The heart on the card of who liked most, 24 units wide: lucide's (ISC). */
export const HEART_PATH =
  'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5'
