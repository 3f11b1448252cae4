/** Hand-tuned traits, by slug. Facts decide everything that a line here does not name. */
import type { Override } from './types.ts'
import { KNOWN } from './breeds-known.ts'
import { WORKING } from './breeds-working.ts'

export const OVERRIDES: Readonly<Record<string, Override>> = { ...KNOWN, ...WORKING }
