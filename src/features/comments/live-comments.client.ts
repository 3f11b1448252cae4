import { onLive } from '#features/live/live.client.ts'
import { commentCount } from './comments.ts'
import { $commentEvents } from './comments.client.ts'

// Members see new comments live: an event hydrates the island, which then shows all events so far.

const threadElement = document.querySelector<HTMLElement>('[data-talk]')

function queueEvent(event: (typeof $commentEvents.value)[number]): void {
  $commentEvents.set([...$commentEvents.get(), event])
  threadElement!.closest('astro-island')?.dispatchEvent(new Event('island:wake'))
}

if (threadElement) {
  onLive('comment', (event) => {
    if (event.dog_id !== threadElement.dataset.talk) return
    for (const count of document.querySelectorAll('[data-comment-count]'))
      count.textContent = commentCount(event.comments)
    queueEvent(event)
  })
  onLive('resync', () => queueEvent('resync'))
}
