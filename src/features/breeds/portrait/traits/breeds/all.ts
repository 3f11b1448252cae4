/** The hand-set traits of every breed that has some. */
import type { TraitOverride } from '#features/breeds/portrait/types.ts'
import { COMPANIONS } from './companions.ts'
import { GUNDOGS } from './gundogs.ts'
import { HOUNDS } from './hounds.ts'
import { MOLOSSERS } from './molossers.ts'
import { SHEPHERDS } from './shepherds.ts'
import { SIGHTHOUNDS } from './sighthounds.ts'
import { SPITZ } from './spitz.ts'
import { TERRIERS } from './terriers.ts'

export const TRAIT_OVERRIDES: Readonly<Record<string, TraitOverride>> = {
  ...COMPANIONS,
  ...GUNDOGS,
  ...HOUNDS,
  ...MOLOSSERS,
  ...SHEPHERDS,
  ...SIGHTHOUNDS,
  ...SPITZ,
  ...TERRIERS,
}
