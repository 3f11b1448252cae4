/** The least time between opening the form for a new dog and sending it, ms: whoever chooses a photo takes longer. */
export const LEAST_PACE = 2000

/** How long the form was open, ms, as it says itself beside the dog's fields. Clients without a form send none. */
export const PACE_FIELD = 'open_for_ms'

/** True for what a form says that was sent sooner than a person can. */
export const isTooSoon = (said: unknown): boolean =>
  said !== undefined && said !== null && !(typeof said === 'string' && said !== '' && Number(said) >= LEAST_PACE)
