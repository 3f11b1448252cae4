import { Heart, Star } from 'lucide-react'
import { createElement, useId } from 'react'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reactHtml } from '#ui/react-html.ts'
import renderer from '../../src/integrations/render/islands.ts'

// What pages get from React on the server: the island renderer and icons.

const rendering = suite('unit/react-rendering')

function Named({ text }: { text: string }) {
  return createElement('p', { id: useId() }, 'Hola, ', text)
}

type Render = (this: object, ...given: unknown[]) => Promise<{ html: string; attrs?: { prefix?: string } }>
const render = renderer.renderToStaticMarkup as unknown as Render
const island = (page: object, text: string) => render.call({ result: page }, Named, { text }, {}, { hydrate: 'load' })

rendering('every island of a page has unique ids, under the prefix that the browser receives', async () => {
  const page = {}
  const [first, second, elsewhere] = [await island(page, 'Toby'), await island(page, 'Toby'), await island({}, 'Toby')]
  assert.equal([first.attrs, second.attrs, elsewhere.attrs], [{ prefix: 'r0' }, { prefix: 'r1' }, { prefix: 'r0' }])
  assert.match(first.html, /^<p id="_r0[^"]*">Hola, <!-- -->Toby<\/p>$/)
  assert.match(second.html, /^<p id="_r1/)
})

rendering('HTML without hydration has no prefix and no hydration marks, and is escaped', async () => {
  const { html, attrs } = await render.call({ result: {} }, Named, { text: '<b>"Ki\'ra" & Cía.</b>' }, {}, {})
  assert.match(html, /^<p id="[^"]+">Hola, &lt;b&gt;&quot;Ki&#x27;ra&quot; &amp; Cía\.&lt;\/b&gt;<\/p>$/)
  assert.is(attrs, undefined)
})

rendering('React’s preloads are not in the body', async () => {
  const Picture = () => createElement('img', { src: '/fotos/a.webp', fetchPriority: 'high' })
  const { html } = await render.call({ result: {} }, Picture, {}, {}, { hydrate: 'load' })
  assert.is(html, '<img src="/fotos/a.webp" fetchPriority="high"/>')
})

rendering('HTML without hydration is rendered once for the same props of the same component', () => {
  let times = 0
  const Dog = ({ name, likes }: { name: string; likes: number }) => {
    times++
    return createElement('p', null, name, ': ', likes)
  }
  const Other = ({ name }: { name: string; likes: number }) => createElement('b', null, name)
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 1 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 1</p>')
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 1 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 1</p>')
  assert.is(times, 1)
  assert.is(reactHtml(Dog, { name: '<i>Toby</i>', likes: 2 }), '<p>&lt;i&gt;Toby&lt;/i&gt;: 2</p>')
  assert.is(reactHtml(Other, { name: 'Toby', likes: 1 }), '<b>Toby</b>')
  assert.is(times, 2)
})

rendering('an icon is hidden from assistive technology unless it has a label', () => {
  assert.match(reactHtml(Heart, {}), /^<svg [^>]*class="lucide lucide-heart"[^>]* aria-hidden="true"[^>]*><path /)
  const named = reactHtml(Star, { className: 'ic ticked', 'aria-label': '«Verificado» & "más"' })
  assert.match(named, /class="lucide lucide-star ic ticked"/)
  assert.match(named, /aria-label="«Verificado» &amp; &quot;más&quot;"/)
  assert.not.match(named, /aria-hidden/)
})

rendering.run()
