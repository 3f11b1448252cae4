import * as z from 'zod/mini'
import { GENERATED_PREFIX } from '#features/profiles/profiles.ts'
import { nearbyPaths } from '#features/nearby/nearby-paths.ts'
import { paths } from '#lib/paths.ts'

/** What a new member is led to, in this order. */
export const STEPS = ['alias', 'zone', 'start'] as const
export type Step = (typeof STEPS)[number]

/** All steps at once: how they are dismissed together, and what members from before have. */
export const ALL_STEPS = 'all'

/** Where the form that dismisses steps goes. */
export const FIRST_DAYS_ACTION = '/api/account/first-days'

export interface StepView {
  step: Step
  title: string
  text: string
  /** Where it is done. */
  links: readonly { href: string; label: string }[]
  isDone: boolean
}

/** What is known of the member, from which follows what they have done. */
export interface FirstDaysFacts {
  alias: string
  dogs: number
  hasPlayed: boolean
  hasZone: boolean
}

interface StepPart extends Omit<StepView, 'isDone'> {
  isDone: (facts: FirstDaysFacts) => boolean
}

const GENERATED_ALIAS = new RegExp(`^${GENERATED_PREFIX}\\d+$`)

/** The steps as parts that know nothing of each other. */
const PARTS: readonly StepPart[] = [
  {
    step: 'alias',
    title: 'Elige tu alias y tu emoji',
    text: 'Así te verá la comunidad.',
    links: [{ href: paths.profileEdit, label: 'Elegir alias' }],
    isDone: ({ alias }) => !GENERATED_ALIAS.test(alias),
  },
  {
    step: 'zone',
    title: 'Di por dónde paseas',
    text: 'Te contaremos qué razas te faltan cerca. Nadie más ve tu zona.',
    links: [{ href: nearbyPaths.homeZone, label: 'Elegir zona' }],
    isDone: ({ hasZone }) => hasZone,
  },
  {
    step: 'start',
    title: 'Pega tu primer cromo',
    text: 'Con tu perro, o con uno que te hayas cruzado. ¿Sin foto a mano? Juega el reto de hoy.',
    links: [
      { href: paths.addDog, label: 'Añadir un perro' },
      { href: paths.riddle, label: 'Jugar el reto' },
    ],
    isDone: ({ dogs, hasPlayed }) => dogs > 0 || hasPlayed,
  },
]

/** The steps that were not dismissed, with whether they are done. */
export const toStepViews = (closed: ReadonlySet<string>, facts: FirstDaysFacts): StepView[] =>
  closed.has(ALL_STEPS)
    ? []
    : PARTS.filter(({ step }) => !closed.has(step)).map(({ isDone, ...part }) => ({ ...part, isDone: isDone(facts) }))

/** Which step is dismissed. */
export const closeStepInput = z.object({ step: z.enum([...STEPS, ALL_STEPS], 'Ese paso no existe.') })
