import { wrapIndex } from './numbers.ts'

/**
 * The option that an arrow key reaches in a combobox.
 * @param active the current option, -1 for the field itself
 * @param step 1 for the down arrow, -1 for the up arrow
 * @param isFieldStop whether the keys stop at the field between the last and the first option
 * @returns -1 for the field, or without options
 */
export function stepOption(active: number, step: 1 | -1, count: number, isFieldStop: boolean): number {
  if (count === 0) return -1
  return isFieldStop ? wrapIndex(active + 1, step, count + 1) - 1 : wrapIndex(active, step, count)
}
