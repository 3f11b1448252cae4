/** What a sender reports is reviewed when so many different owners have refused what they sent. */
export const REFUSING_OWNERS = 3
/** How long it is, from the last refusal on. */
export const REVIEW_HOURS = 24
/** How long refusals and networks are known, days. */
export const NETWORK_DAYS = 3
