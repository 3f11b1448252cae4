/** The least time a person takes from opening the form for a new dog to sending it: choosing a photo takes longer. */
export const MIN_FILL_TIME_MS = 2000

/** The form field with the milliseconds that the form was open. API clients without a form send none. */
export const FILL_TIME_FIELD = 'open_for_ms'

/** True for a `FILL_TIME_FIELD` below the minimum, or unreadable; false without one. */
export const isFilledTooFast = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value !== '' && Number(value) >= MIN_FILL_TIME_MS)
