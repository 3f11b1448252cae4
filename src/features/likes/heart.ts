import { Heart } from 'lucide-react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { escapeHtml } from '#lib/html.ts'

const icon = renderToString(createElement(Heart, { className: 'ic', 'aria-hidden': true }))

/**
 * What LikeButton.tsx is on the server, to the letter, for pages that do not hydrate it: React takes a hundred times as long for
 * it. tests/unit/drawn holds them together.
 */
export function heartHtml(given: {
  id: string
  name: string
  likes: number
  liked: boolean
  className: string
}): string {
  const { likes, liked } = given
  const word = likes === 1 ? ' like' : ' likes'
  return `<button type="button" class="${escapeHtml(given.className)}" data-like="${escapeHtml(given.id)}" data-likes="${likes}" aria-pressed="${liked}" aria-disabled="false">${icon}<span class="sr">Me gusta <!-- -->${escapeHtml(given.name)}<!-- -->: </span><span class="num" data-like-count="true">${likes}</span><span class="sr" data-like-word="true">${word}</span></button>`
}
