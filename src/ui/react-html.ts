import { LRUCache } from 'lru-cache'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Characters of rendered HTML that are kept. */
const HTML_MAX = 4_000_000

const rendered = new LRUCache<string, string>({
  maxSize: HTML_MAX,
  sizeCalculation: (html, key) => html.length + key.length,
})
const numbers = new WeakMap<object, number>()
let count = 0

/**
 * HTML of a React component that is not hydrated: what depends on its props alone is rendered once for them.
 * @param props plain data, since it is told apart by its JSON
 */
export function reactHtml<Props extends object>(component: ComponentType<Props>, props: Props): string {
  let number = numbers.get(component)
  if (number === undefined) numbers.set(component, (number = count++))
  const key = number + JSON.stringify(props)
  let html = rendered.get(key)
  if (html === undefined) rendered.set(key, (html = renderToStaticMarkup(createElement(component, props))))
  return html
}
