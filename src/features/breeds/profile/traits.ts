/** The bars of a breed's character. data/README.md has the rubric of their values. */
export const TRAITS = {
  children: {
    label: 'Niños',
    words: ['mejor sin niños', 'con niños mayores', 'con normas', 'le gustan', 'paciencia de santo'],
  },
  dogs: {
    label: 'Otros perros',
    words: ['riñe con facilidad', 'elige a sus amigos', 'correcto', 'sociable', 'le encantan'],
  },
  strangers: {
    label: 'Extraños',
    words: ['desconfía y guarda', 'reservado', 'indiferente', 'amable', 'saluda a todos'],
  },
  training: {
    label: 'Adiestramiento',
    words: ['va por libre', 'terco', 'aprende con paciencia', 'aprende bien', 'aprende volando'],
  },
  barking: { label: 'Ladrido', words: ['casi mudo', 'ladra poco', 'avisa', 'ladra bastante', 'muy ladrador'] },
  shedding: { label: 'Muda', words: ['apenas suelta pelo', 'poca', 'media', 'bastante', 'mucha'] },
  exercise: {
    label: 'Ejercicio',
    words: ['media hora al día', 'tres cuartos de hora', 'una hora', 'hora y media o dos', 'más de dos horas'],
  },
  heat: { label: 'Calor', words: ['lo lleva muy mal', 'lo lleva mal', 'lo tolera', 'lo lleva bien', 'nacido para él'] },
  cold: { label: 'Frío', words: ['necesita abrigo', 'lo nota', 'lo tolera', 'lo lleva bien', 'nacido para él'] },
  flat: {
    label: 'Vida en un piso',
    words: ['necesita campo', 'difícil', 'con salidas largas', 'bien', 'hecho para un piso'],
  },
  firstTime: {
    label: 'Primera vez',
    words: ['solo para expertos', 'con ayuda', 'depende de ti', 'fácil', 'muy agradecido'],
  },
} as const satisfies Record<string, { label: string; words: readonly [string, string, string, string, string] }>
export type TraitName = keyof typeof TRAITS
export const TRAIT_NAMES = Object.keys(TRAITS) as TraitName[]

/** Traits of which much asks something of people: their bars are not green. */
export const DEMANDING_TRAITS: ReadonlySet<TraitName> = new Set(['barking', 'shedding', 'exercise'])

/** 1 to 5. */
export type TraitValue = 1 | 2 | 3 | 4 | 5

/** What a bar's value was concluded from. */
export const TRAIT_SOURCES = {
  'fci-std': 'el estándar de la FCI',
  akc: 'la tabla pública del AKC (2020)',
  function: 'el trabajo para el que nació',
  body: 'su pelo, su hocico y su tamaño',
  club: 'los clubes y la literatura de la raza',
} as const
export type TraitSource = keyof typeof TRAIT_SOURCES

/** The word beside a bar. */
export const traitWord = (name: TraitName, value: TraitValue): string => TRAITS[name].words[value - 1]!
