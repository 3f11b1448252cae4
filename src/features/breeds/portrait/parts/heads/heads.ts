/** Every head shape, by name. */
import { COMPANION_HEADS } from './companions.ts'
import { HOUND_HEADS } from './hounds.ts'
import { MASTIFF_HEADS } from './mastiffs.ts'
import { PRICK_EARED_HEADS } from './prick-eared.ts'
import type { HeadShape } from './profile.ts'

/** Right halves: dx from the middle of the picture, y downwards. */
export const HEAD_SHAPES: Record<HeadType, HeadShape> = {
  ...HOUND_HEADS,
  ...MASTIFF_HEADS,
  ...PRICK_EARED_HEADS,
  ...COMPANION_HEADS,
}

export type HeadType =
  | keyof typeof HOUND_HEADS
  | keyof typeof MASTIFF_HEADS
  | keyof typeof PRICK_EARED_HEADS
  | keyof typeof COMPANION_HEADS
