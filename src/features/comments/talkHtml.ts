import { Flag } from 'lucide-react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { formatDate } from '#lib/dates.ts'
import { escapeHtml } from '#lib/html.ts'
import { paths } from '#lib/paths.ts'
import type { Comment } from './comments.ts'
import './comments.css'

const flag = renderToString(createElement(Flag, { 'aria-hidden': 'true' }))

function itemHtml({ id, user_id, alias, emoji, content, created_at }: Comment): string {
  const by = `<p class="by"><a href="${escapeHtml(paths.member(user_id))}">${escapeHtml(alias)}</a> <time dateTime="${new Date(created_at).toISOString()}" data-relative="">${formatDate(created_at)}</time></p>`
  const report = `<a class="btn icon ghost flag" href="${escapeHtml(paths.report('comentario', id))}" rel="nofollow" aria-label="${escapeHtml(`Denunciar el comentario de ${alias}`)}" data-report="">${flag}</a>`
  return `<li class="comment" data-comment="${escapeHtml(id)}"><span class="ava" aria-hidden="true">${escapeHtml(emoji)}</span><div class="grow">${by}<p class="said">${escapeHtml(content)}</p></div>${report}</li>`
}

/**
 * What Comments.tsx is on the server for a visitor, to the letter, where all there is stands on the page and no island is
 * needed: React takes a hundred times as long for it. tests/unit/drawn holds them together.
 */
export function talkHtml(given: { dogId: string; comments: readonly Comment[]; count: number }): string {
  const { comments, count } = given
  const none = comments.length === 0 ? '<p class="soft">Todavía nadie ha comentado.</p>' : ''
  return `<section class="talk" id="comentarios" data-talk="${escapeHtml(given.dogId)}" aria-labelledby="comentarios-titulo"><h2 id="comentarios-titulo" tabindex="-1">Comentarios <span class="num">${count}</span></h2><p class="join-talk"><a class="btn" href="${paths.login}">Únete para comentar</a></p>${none}<p class="sr" role="status"><span></span></p><ul>${comments.map(itemHtml).join('')}</ul></section>`
}
