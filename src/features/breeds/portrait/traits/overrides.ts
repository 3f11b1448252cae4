/** Hand-tuned traits, by slug. Facts decide everything that a line here does not name. */
import type { TraitOverride } from '#features/breeds/portrait/types.ts'
import { COMPANION_OVERRIDES } from './overrides-companions.ts'
import { WORKING_OVERRIDES } from './overrides-working.ts'

export const TRAIT_OVERRIDES: Readonly<Record<string, TraitOverride>> = { ...COMPANION_OVERRIDES, ...WORKING_OVERRIDES }
