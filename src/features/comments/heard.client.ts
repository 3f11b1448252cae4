import { onLive } from '#features/live/live.client.ts'
import { commentCount } from './comments.ts'
import { $heard } from './comments.store.ts'

// Members read along: what others say wakes the island, which then shows everything heard so far.

const talk = document.querySelector<HTMLElement>('[data-talk]')

function keep(heard: (typeof $heard.value)[number]): void {
  $heard.set([...$heard.get(), heard])
  talk!.closest('astro-island')?.dispatchEvent(new Event('island:wake'))
}

if (talk) {
  onLive('comment', (event) => {
    if (event.dog_id !== talk.dataset.talk) return
    for (const count of document.querySelectorAll('[data-comment-count]'))
      count.textContent = commentCount(event.comments)
    keep(event)
  })
  onLive('resync', () => keep('resync'))
}
