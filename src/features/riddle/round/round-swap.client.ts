import { htmx } from '#ui/htmx.client.ts'

/** Sends an answer and swaps the round for the page that it leads to. */
export const swapRound = (action: string, values: Record<string, string>): Promise<void> =>
  htmx.ajax('POST', action, { values, target: '#ronda', select: '#ronda', swap: 'outerHTML', push: 'true' })
