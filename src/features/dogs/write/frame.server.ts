import type { DogRow } from '#features/dogs/dog.server.ts'
import { FRAME_TEXTS } from '#features/dogs/card/frame-form.ts'
import { framesOfDay, type SeasonalFrame } from '#features/dogs/card/seasonal-frames.ts'
import { forbidden, invalid } from '#lib/errors.ts'

/**
 * The column of a dog's seasonal frame, where it changes.
 * @param chosen null takes it off; undefined leaves it as it is
 * @param isOwner whether the member who changes it owns the dog
 * @throws AppError 403 for others than the owner; 422 for a frame of another season than that in which the dog was added
 */
export function changedFrame(
  row: Pick<DogRow, 'frame' | 'day'>,
  chosen: SeasonalFrame | null | undefined,
  isOwner: boolean,
): { frame?: SeasonalFrame | null } {
  if (chosen === undefined || chosen === row.frame) return {}
  if (!isOwner) throw forbidden(FRAME_TEXTS.owner)
  if (chosen !== null && !framesOfDay(row.day).includes(chosen)) {
    const detail = FRAME_TEXTS.season(chosen)
    throw invalid(detail, { frame: detail })
  }
  return { frame: chosen }
}
