import * as z from 'zod/mini'

/** The one thing that a new member is asked for: an alias and an emoji, once others see them. */
export const ALIAS_STEP = 'alias'

/** Everything at once: what members from before have. */
export const ALL_STEPS = 'all'

/** Where the form that dismisses a step goes. */
export const FIRST_DAYS_ACTION = '/api/account/first-days'

/** Which step is dismissed. */
export const closeStepInput = z.object({ step: z.enum([ALIAS_STEP, ALL_STEPS], 'Ese paso no existe.') })
