import { type Breed, MIXED_BREED } from '#features/breeds/breeds.ts'
import { FCI_GROUPS, OUTSIDE_FCI, OUTSIDE_FCI_GROUP } from '#features/breeds/profile/groups.ts'
import { type BreedProfile, traitOf } from '#features/breeds/profile/profiles.ts'
import type { TraitName } from '#features/breeds/profile/traits.ts'

/** A way into the album: breeds that share something, with a text of its own. */
export interface BreedList {
  kind: ListKind
  /** The last segment of its address. */
  slug: string
  title: string
  /** Its name in the guide, below the heading of its kind. */
  label: string
  intro: string
  includes: (breed: Breed, profile: BreedProfile | undefined) => boolean
}

/** The segments of the lists' addresses, `/razas/{kind}/{slug}`, with the heading of each kind in the guide. */
export const LIST_KINDS = { para: 'Por cómo son', grupo: 'Por grupo', tamano: 'Por tamaño', pais: 'Por país' } as const
export type ListKind = keyof typeof LIST_KINDS
export const isListKind = (text: string): text is ListKind => Object.hasOwn(LIST_KINDS, text)

const groupLists: BreedList[] = Object.entries(FCI_GROUPS).map(([number, { name, intro }]) => ({
  kind: 'grupo',
  slug: number,
  title: `Grupo ${number}: ${name}`,
  label: `${number}. ${name}`,
  intro,
  includes: (breed) => breed.fci_grupo === Number(number),
}))
groupLists.push({
  kind: 'grupo',
  slug: OUTSIDE_FCI,
  title: OUTSIDE_FCI_GROUP.name,
  label: 'Fuera de la FCI',
  intro: OUTSIDE_FCI_GROUP.intro,
  includes: (breed) => breed.fci_grupo === null,
})

/** «Razas para hacer deporte» as «Para hacer deporte». */
const withoutRazas = (title: string) => title.replace(/^Razas (.)/, (_start, letter: string) => letter.toUpperCase())

const meanWeight = (breed: Breed) => (breed.peso_kg_min + breed.peso_kg_max) / 2

/** The sizes by the middle of a breed's range of weights: from this many kilos, inclusive, to the next size's. */
const SIZES = [
  {
    slug: 'mini',
    title: 'Razas mini',
    from: 0,
    intro:
      'Menos de cinco kilos en medio de su horquilla: caben en un bolso, aunque no deberían vivir en él. Aquí hay guardianes de timbre finísimo, cazadores de ratones y perros de falda con siglos de oficio. Lo delicado no es su carácter, sino los huesos, los dientes y el frío, y por eso encajan mejor con niños que ya saben agacharse.',
  },
  {
    slug: 'pequenas',
    title: 'Razas pequeñas',
    from: 5,
    intro:
      'De cinco a doce kilos: la talla que más crece en las ciudades españolas. Caben en un tren, en un ascensor y en un sofá compartido, y muchas fueron ratoneras o terriers, con más motor del que aparentan. No des por hecho que un perro pequeño pasea poco: mira la barra de ejercicio de cada una.',
  },
  {
    slug: 'medianas',
    title: 'Razas medianas',
    from: 12,
    intro:
      'De doce a veinticinco kilos. Es la talla de los perros de faena: pastores, sabuesos, perros de agua, podencos. Se manejan bien en casa y aguantan una montaña, y como son los que más trabajaban, también son los que antes se aburren. Para el coche y las vacaciones, una talla cómoda.',
  },
  {
    slug: 'grandes',
    title: 'Razas grandes',
    from: 25,
    intro:
      'De veinticinco a cuarenta y cinco kilos: retrievers, pastores, perros de muestra, guardianes. Su cachorro parece mayor mucho antes de serlo, y conviene enseñarle a no tirar de la correa cuando aún pesa poco. Comen más, ocupan más asiento y piden más calle, y a cambio te llevan al monte sin cansarse.',
  },
  {
    slug: 'gigantes',
    title: 'Razas gigantes',
    from: 45,
    intro:
      'Más de cuarenta y cinco kilos. Mastines, dogos, sanbernardos y lebreles del tamaño de un ternero, casi todos más tranquilos de lo que su sombra promete. Crecen durante dos años, viven menos que los pequeños y sufren con el calor. Antes de elegir uno, cuenta los metros, el maletero y la factura del veterinario.',
  },
] as const

const sizeLists: BreedList[] = SIZES.map(({ slug, title, from, intro }, i) => {
  const before = SIZES[i + 1]?.from ?? Infinity
  return {
    kind: 'tamano',
    slug,
    title,
    label: withoutRazas(title),
    intro,
    includes: (breed) =>
      breed.nombre_castellano !== MIXED_BREED && meanWeight(breed) >= from && meanWeight(breed) < before,
  }
})

type Bounds = Partial<Record<TraitName, { min?: number; max?: number }>>

/** Whether every bar is known and within its bounds. */
const fits = (profile: BreedProfile | undefined, bounds: Bounds): boolean =>
  Object.entries(bounds).every(([name, { min = 1, max = 5 }]) => {
    const value = traitOf(profile, name as TraitName)
    return value !== undefined && value >= min && value <= max
  })

const TRAIT_LISTS: readonly { slug: string; title: string; intro: string; bounds: Bounds }[] = [
  {
    slug: 'un-piso',
    title: 'Razas tranquilas para un piso',
    bounds: { flat: { min: 4 }, barking: { max: 3 }, exercise: { max: 3 } },
    intro:
      'Se adaptan a pocos metros, no despiertan a la escalera y tienen bastante con una hora de calle. Tranquilas no quiere decir de peluche: todas necesitan salir varias veces, oler esquinas y compañía. Un piso lo hace bueno el paseo, no los metros, y hay perros grandes que se echan en la alfombra mejor que muchos pequeños.',
  },
  {
    slug: 'familias-con-ninos',
    title: 'Razas para familias con niños',
    bounds: { children: { min: 4 }, strangers: { min: 4 }, training: { min: 4 } },
    intro:
      'Perros que suelen disfrutar de los niños, llevan bien las visitas y aprenden sin pelea. Ninguna raza viene educada de fábrica: el perro necesita un rincón donde nadie lo moleste, y el niño, aprender a no abrazarlo cuando come o duerme. Nunca los dejes a solas si el niño es pequeño, por bueno que sea el perro.',
  },
  {
    slug: 'empezar',
    title: 'Razas para tu primer perro',
    bounds: { firstTime: { min: 4 }, training: { min: 3 } },
    intro:
      'Perdonan los errores de quien empieza. Son razas de trato blando, que aprenden con premios y no se toman a mal una semana confusa. Aun así, apúntate a unas clases: quien más aprende en ellas es la persona. Y recuerda que un adulto de protectora, cuyo carácter ya se conoce, es una primera vez estupenda.',
  },
  {
    slug: 'deporte',
    title: 'Razas para hacer deporte',
    bounds: { exercise: { min: 5 } },
    intro:
      'Más de dos horas al día y con ganas de repetir. Son razas para correr, subir montes, nadar o trabajar de verdad; encerradas, reforman el salón. Empieza cuando el perro haya terminado de crecer, evita las horas de sol y no hagas del cansancio su única rutina: también hay que enseñarles a parar.',
  },
  {
    slug: 'poco-pelo',
    title: 'Razas que sueltan poco pelo',
    bounds: { shedding: { max: 1 } },
    intro:
      'Rizados, desnudos y de pelo que crece sin parar: apenas dejan rastro en el sofá. A cambio piden peluquería o crema, porque el pelo que no se cae hay que cortarlo. Ojo con la palabra hipoalergénico: la alergia viene sobre todo de la saliva y la piel, así que pasa un buen rato con el perro antes de decidirte.',
  },
  {
    slug: 'silencio',
    title: 'Razas que ladran poco',
    bounds: { barking: { max: 2 }, flat: { min: 2 } },
    intro:
      'Lebreles discretos, primitivos que cantan en vez de ladrar y gigantes que no gastan saliva. Ladran poco, que no es lo mismo que nunca: un perro solo y aburrido encuentra la voz. Si vives con tabiques finos, empieza por esta página, y después mira cuánto ejercicio pide cada una.',
  },
  {
    slug: 'calor',
    title: 'Razas que llevan bien el calor',
    bounds: { heat: { min: 4 } },
    intro:
      'Pelo corto, hocico largo y cuerpo ligero: lo que ayuda a soltar calor. Muchas vienen del Mediterráneo, de África o de Asia. También ellas pasean en julio al amanecer y de noche, con agua y sin asfalto ardiendo, porque un golpe de calor no pregunta por la raza.',
  },
  {
    slug: 'frio',
    title: 'Razas para el frío y la nieve',
    bounds: { cold: { min: 5 } },
    intro:
      'Doble capa, orejas recogidas y patas con pelo: perros de montaña, de trineo y de rebaño que duermen al raso y se despiertan blancos. Son felices con lo que a ti te hace temblar, y lo pasan mal en un agosto de interior. Si vives donde el verano aprieta, quizá no sea tu lista.',
  },
  {
    slug: 'otros-perros',
    title: 'Razas que se llevan bien con otros perros',
    bounds: { dogs: { min: 5 } },
    intro:
      'Perros de jauría, de rehala o de muchas manos, hechos para convivir con los suyos. Van bien si ya tienes perro o piensas tener dos, y disfrutan de un paseo en grupo más que de uno a solas. Las presentaciones, de todos modos, en terreno neutral y sin prisa.',
  },
  {
    slug: 'aprender',
    title: 'Razas que aprenden volando',
    bounds: { training: { min: 5 } },
    intro:
      'Los primeros de la clase: pastores, retrievers, caniches y perros de agua que entienden a la segunda. Aprenden igual de deprisa lo que no querías enseñarles, y necesitan problemas que resolver. Buscar, traer, escoger, esperar: diez minutos de juego de cabeza los dejan más contentos que una hora de pelota.',
  },
]

const traitLists: BreedList[] = TRAIT_LISTS.map(({ slug, title, intro, bounds }) => ({
  kind: 'para',
  slug,
  title,
  label: withoutRazas(title),
  intro,
  includes: (_breed, profile) => fits(profile, bounds),
}))

/** All lists but those of countries, which follow from the catalogue (breed-lists.server.ts). */
export const FIXED_LISTS: readonly BreedList[] = [...traitLists, ...groupLists, ...sizeLists]
