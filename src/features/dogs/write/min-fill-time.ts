/** The least time between opening the form for a new dog and sending it, ms: whoever chooses a photo takes longer. */
export const MIN_FILL_TIME_MS = 2000

/** How long the form was open, ms, as it says itself beside the dog's fields. Clients without a form send none. */
export const FILL_TIME_FIELD = 'open_for_ms'

/** True for what a form says that was sent sooner than a person can. */
export const isFilledTooFast = (said: unknown): boolean =>
  said !== undefined && said !== null && !(typeof said === 'string' && said !== '' && Number(said) >= MIN_FILL_TIME_MS)
