import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createServer, type ViteDevServer } from 'vite'
import type { Comment } from '#features/comments/comments.ts'
import { root } from '#tests/support/sources.ts'

// What is drawn as strings must be what React draws: the same page is hydrated for members, and one stylesheet serves both.

const drawn = suite('drawn')
let vite: ViteDevServer

drawn.before(async () => {
  vite = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
})
drawn.after(() => vite.close())

const load = (path: string) => vite.ssrLoadModule(`/src/features/${path}`)
const react = (component: unknown, props: object) =>
  renderToString(createElement(component as FunctionComponent, props))

const NAMES = ['Toby', 'Ñandú «el Rápido»', '<b>"Ki\'ra" & Cía.</b>', '🐕‍🦺', '   ']

drawn('a heart', async () => {
  const { LikeButton } = await load('likes/LikeButton.tsx')
  const { heartHtml } = await load('likes/heart.ts')
  for (const name of NAMES)
    for (const likes of [0, 1, 2, 12_345])
      for (const liked of [true, false]) {
        const props = { id: 'a"b', name, likes, liked, className: 'btn likes' }
        assert.is(heartHtml(props), react(LikeButton, props))
      }
})

const comment = (n: number, text: string): Comment => ({
  id: `c${n}`,
  dog_id: 'd&1',
  user_id: `u<${n}>`,
  alias: text,
  emoji: '🐶',
  content: `${text}\n  ${text}\t<script>alert("1")</script>`,
  created_at: 1_760_000_000_000 + n * 86_400_000,
})

drawn('the comments that a visitor reads', async () => {
  const { default: Comments } = await load('comments/Comments.tsx')
  const { talkHtml } = await load('comments/talkHtml.ts')
  const all = NAMES.map((name, n) => comment(n, name))
  for (const comments of [[], all.slice(0, 1), all]) {
    const start = { comments, nextCursor: null }
    const html = react(Comments, { dogId: 'd&1', start, count: comments.length, me: null })
    assert.is(talkHtml({ dogId: 'd&1', comments, count: comments.length }), html)
    assert.is(html.includes('Todavía nadie ha comentado.'), comments.length === 0)
  }
})

drawn.run()
