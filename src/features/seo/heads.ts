import type { BreedProfile } from '#features/breeds/profile/profiles.ts'
import { dogDescription, dogFullName, dogTitle, pathNumber } from '#features/dogs/page/meta.ts'
import type { Dog, Person } from '#features/dogs/dogs.ts'
import { COMPARISON_TAB } from '#features/profiles/profiles.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { challengePaths } from '#features/challenges/challenge-paths.ts'
import { riddlePaths } from '#features/riddle/riddle-paths.ts'
import { roundPaths } from '#features/riddle/round/round-paths.ts'
import type { CommunityYear } from '#features/years/community-year.ts'
import { yearPaths } from '#features/years/year-paths.ts'
import type { MemberYear } from '#features/years/years.ts'
import { formatCount } from '#lib/numbers.ts'
import { nameSlug } from '#lib/text/slug.ts'
import { truncateCharacters, trimEndWhile } from '#lib/text/text.ts'
import {
  breedListSchema,
  breedSchema,
  type BreedSchemaData,
  collectionSchema,
  dogSchema,
  type JsonLd,
  memberSchema,
  siteSchema,
} from './schema.ts'

/** The head of a public page, for search engines; props of the layout. Addresses are paths. */
export interface Head {
  title: string
  description: string
  canonical: string
  robots?: string
  ogType?: string
  /** The Atom feed of the page's news. */
  feed?: { title: string; href: string }
  /** Structured data; rendered only with SITE_URL. */
  schema?: (siteUrl: string) => JsonLd
}

/** The longest description that search engines show in full. */
const DESCRIPTION_MAX_CHARS = 155

/** The beginning of a text, cut at the end of a word. */
function excerptOf(text: string): string {
  const cut = truncateCharacters(text, DESCRIPTION_MAX_CHARS)
  return cut === text ? text : `${trimEndWhile(trimEndWhile(cut, /\S/), /[\s,;:.]/)}…`
}

/** `noindex` where the address shows a part of the list: filtered, searched or paged. Only the full list is to be indexed. */
const noindexIfPartial = (search: URLSearchParams, ...names: string[]) =>
  names.some((name) => search.get(name)) ? { robots: 'noindex' } : {}

const nameArgs = (dog: Dog) => [dog, pathNumber(dog, nameSlug(dog.name))] as const

/** `Toby 2, Beagle`: unique among all dogs. */
export const uniqueDogName = (dog: Dog): string => dogFullName(...nameArgs(dog))
export const describeDog = (dog: Dog): string => dogDescription(...nameArgs(dog))

export const FEED_TITLE = 'Perros nuevos | Perrario'
export const breedFeedTitle = (breed: string): string => `${breed}: perros nuevos | Perrario`
/** The feed of lost dogs, of everywhere or of a province. */
export const lostFeed = (province?: string, provinceId?: string) => ({
  title: province ? `Perros perdidos en ${province} | Perrario` : 'Perros perdidos | Perrario',
  href: provinceId ? `${lostPaths.lostFeed}?${new URLSearchParams({ provincia: provinceId })}` : lostPaths.lostFeed,
})
const DOGS_FEED = { title: FEED_TITLE, href: paths.feed }

const LIST_PARAMS = ['breed', 'size', 'cursor']

/** The list at `/`, which is also `/perros`. */
export const homeHead = (search: URLSearchParams): Head => ({
  title: 'Perrario, el álbum de los perros',
  description: 'El álbum de los perros: registra a los tuyos, colecciona razas y descubre los de la comunidad.',
  canonical: paths.home,
  feed: DOGS_FEED,
  schema: siteSchema,
  ...noindexIfPartial(search, ...LIST_PARAMS),
})

export const dogsHead = (search: URLSearchParams): Head => ({ ...homeHead(search), title: 'Perros | Perrario' })

export const mapHead = (search: URLSearchParams): Head => ({
  title: 'Perros en el mapa | Perrario',
  description: 'El mapa de los perros de la comunidad: mira cuáles hay en tu ciudad, tu barrio o tu pueblo.',
  canonical: `${paths.dogs}?view=map`,
  feed: DOGS_FEED,
  ...noindexIfPartial(search, ...LIST_PARAMS),
})

/** The album of all breeds. */
export const albumHead = (breeds: number, search: URLSearchParams): Head => ({
  title: 'Colección de Razas | Perrario',
  description: `Las ${breeds} razas de perro del mundo en un álbum: descubre cuáles ha encontrado ya la comunidad y completa tu colección.`,
  canonical: paths.breeds,
  feed: DOGS_FEED,
  schema: collectionSchema,
  ...noindexIfPartial(search, 'buscar', 'modo', 'pagina'),
})

interface BreedHeadData extends BreedSchemaData {
  descripcion: string
}

/**
 * @param profile with the breed's description for search results; without it, the beginning of its text
 * @param isContinued whether the page starts after the newest dogs
 */
export const breedHead = (
  breed: BreedHeadData,
  profile: Pick<BreedProfile, 'summary' | 'titleName'> | undefined,
  isContinued: boolean,
): Head => ({
  title: `${profile?.titleName ?? breed.nombre_castellano}: carácter, tamaño, cuidados y fotos | Perrario`,
  description: profile?.summary ?? excerptOf(breed.descripcion),
  ogType: 'article',
  canonical: paths.breed(breed.slug),
  feed: { title: breedFeedTitle(breed.nombre_castellano), href: paths.breedFeed(breed.slug) },
  schema: (siteUrl) => breedSchema(siteUrl, breed, profile?.summary),
  ...(isContinued && { robots: 'noindex' }),
})

const guideSchema =
  (...steps: (readonly [name: string, path: string])[]) =>
  (siteUrl: string) =>
    breedListSchema(siteUrl, ...steps)
const GUIDE_STEP = ['Guía de razas', paths.breedGuide] as const

/** The guide of breeds. */
export const breedGuideHead = (): Head => ({
  title: 'Guía de razas de perro | Perrario',
  description:
    'Razas de perro por carácter, grupo, tamaño y país, un test para saber cuál te va y una tabla para compararlas.',
  canonical: paths.breedGuide,
  schema: guideSchema(GUIDE_STEP),
})

/** A list of the guide. */
export const breedListHead = (list: { kind: string; slug: string; title: string; intro: string }): Head => ({
  title: `${list.title} | Perrario`,
  description: excerptOf(list.intro),
  canonical: paths.breedList(list.kind, list.slug),
  schema: guideSchema(GUIDE_STEP, [list.title, paths.breedList(list.kind, list.slug)]),
})

/** @param isAnswered `noindex` for results, which are of one person */
export const breedQuizHead = (isAnswered: boolean): Head => ({
  title: '¿Qué raza de perro te va? | Perrario',
  description:
    'Seis preguntas sobre tu casa, tu tiempo y tu familia, sin cuenta ni registro, y cinco razas que podrían encajar.',
  canonical: paths.breedQuiz,
  schema: guideSchema(GUIDE_STEP, ['¿Qué raza te va?', paths.breedQuiz]),
  ...(isAnswered && { robots: 'noindex' }),
})

/** @param past a day before today, and its date in words: search engines have the page of today alone */
export const riddleHead = (past?: { day: string; date: string }): Head => ({
  title: past ? `Reto del ${past.date} | Perrario` : 'El reto del día: ¿qué raza es? | Perrario',
  description:
    'Una raza de perro al día y seis intentos para adivinarla: primero su silueta, después su tamaño, su origen y su retrato.',
  canonical: past ? riddlePaths.of(past.day) : paths.riddle,
  ...(past && { robots: 'noindex' }),
})

export const roundHead = (): Head => ({
  title: 'Cromo o raza: diez preguntas de perros | Perrario',
  description:
    'Una ronda rápida de diez preguntas: mira el cromo y di la raza, o mira la raza y elige su cromo. Fácil, normal o difícil.',
  canonical: roundPaths.start,
})

/** @param province the name of the chosen province */
export const lostHead = (search: URLSearchParams, province?: string, provinceId?: string): Head => ({
  title: province ? `Perros perdidos en ${province} | Perrario` : 'Perros perdidos | Perrario',
  description:
    'Perros que sus familias buscan ahora, con foto, zona y desde cuándo. Si has visto a uno, cuéntalo en medio minuto y sin cuenta.',
  canonical: lostPaths.lostDogs,
  feed: lostFeed(province, provinceId),
  ...noindexIfPartial(search, 'provincia', 'desde', ...LIST_PARAMS),
})

export const firstDayHead = (): Head => ({
  title: 'Se ha perdido mi perro: las primeras 24 horas | Perrario',
  description:
    'Qué hacer cuando se pierde un perro: dónde buscar, a quién avisar, el registro del chip, la ley y cómo no caer en timos.',
  canonical: lostPaths.lostHelp,
})
export const foundHead = (): Head => ({
  title: 'He encontrado un perro | Perrario',
  description:
    'Sube una foto y di dónde estaba: te enseñamos los perros perdidos cerca que se parecen y avisamos a sus familias. Sin cuenta.',
  canonical: paths.foundForm,
})

export const badgesHead = (search: URLSearchParams): Head => ({
  title: 'Insignias y reto de la semana | Perrario',
  description:
    'Qué insignias hay en Perrario y cómo se consiguen: razas de todos los grupos, perros de todos los tamaños y los retos de cada semana.',
  canonical: challengePaths.badges,
  ...noindexIfPartial(search, 'cursor'),
})

/** @param names of the compared breeds; comparisons are not indexed, their form is */
export const compareHead = (names: readonly string[]): Head => ({
  title: `${names.length > 1 ? new Intl.ListFormat('es').format(names) : 'Comparar razas de perro'} | Perrario`,
  description: 'Dos o tres razas de perro, una al lado de la otra: tamaño, peso, carácter, ejercicio, pelo y clima.',
  canonical: paths.compareBreeds(),
  schema: guideSchema(GUIDE_STEP, ['Comparar razas', paths.compareBreeds()]),
  ...(names.length > 0 && { robots: 'noindex' }),
})

/** @param breed the breed's name in the catalogue @param uploader «Subido por»; null for an anonymous dog */
export const dogHead = (dog: Dog, breed: string, uploader: Person | null): Head => ({
  title: dogTitle(...nameArgs(dog)),
  description: describeDog(dog),
  canonical: dog.path,
  ogType: 'article',
  schema: (siteUrl) => dogSchema(siteUrl, { dog, breed, uploader, caption: uniqueDogName(dog) }),
})

/** A member's year: never indexed, also where its link is shared. */
export const yearHead = (year: MemberYear, isOwn: boolean): Omit<Head, 'canonical'> => ({
  title: isOwn ? `Tu ${year.year} en perros | Perrario` : `El ${year.year} en perros de ${year.alias} | Perrario`,
  description: `El año ${year.year} en el álbum de los perros: razas nuevas, la foto más querida y el ranking, en ocho tarjetas.`,
  robots: 'noindex',
})

export const communityYearHead = ({ year, dogs, breedCount }: CommunityYear): Head => ({
  title: `El ${year} de la comunidad | Perrario`,
  description: `El ${year} en Perrario: ${formatCount(dogs)} perros nuevos de ${formatCount(breedCount)} razas, con las razas del año y las provincias donde se vieron.`,
  canonical: yearPaths.community(year),
})

export const communityHead = (search: URLSearchParams): Head => ({
  title: 'Comunidad | Perrario',
  description: 'Quién tiene más perros, likes y razas en Perrario.',
  canonical: paths.community,
  ...noindexIfPartial(search, 'cursor'),
})

interface MemberHeadData {
  id: string
  alias: string
  created_at: number
  /** The number of their dogs. */
  dogs: number
}

/** «Perfil de», because a member may have a breed's name. `noindex` for members without dogs, whose pages are empty. */
export const memberHead = (member: MemberHeadData, search: URLSearchParams): Head => ({
  title: `Perfil de ${member.alias} | Perrario`,
  description: `Los perros, las razas y los likes de ${member.alias} en Perrario.`,
  canonical: paths.member(member.id),
  ogType: 'profile',
  schema: (siteUrl) => memberSchema(siteUrl, member),
  ...noindexIfPartial(search, 'album', 'buscar', 'cursor', 'pagina'),
  ...((member.dogs === 0 || search.get('tab') === COMPARISON_TAB) && { robots: 'noindex' }),
})
