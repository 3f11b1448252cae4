import { TurnQueue } from '#lib/turn-queue.ts'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'

/** Cards that may wait: at 30 to 110 ms each, three seconds' work of one core. */
export const MAX_WAITING_CARDS = 32

/** Nobody waits for the card any more. */
export class CardWithdrawn extends Error {}

/** The turns of cards. @throws RenderQueueFull where one is evicted for others, CardWithdrawn where it is withdrawn */
export class CardQueue extends TurnQueue {
  constructor() {
    const errors = { full: () => new RenderQueueFull(), withdrawn: () => new CardWithdrawn() }
    super({ maxWaiting: MAX_WAITING_CARDS, ...errors })
  }
}
