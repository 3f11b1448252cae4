/** Edits of one member in ten minutes: each publishes an event to all open pages. */
export const DOG_EDIT_RATE_LIMIT = [120, 600] as const
