import { LRUCache } from 'lru-cache'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Characters of rendered HTML that are cached. */
const MAX_CACHED_CHARS = 4_000_000

const rendered = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (html, key) => html.length + key.length,
})
const componentNumbers = new WeakMap<object, number>()
let componentCount = 0

/**
 * Renders a React component that is not hydrated, once for the same props.
 * @param props plain data: its JSON is the cache key
 */
export function reactHtml<Props extends object>(component: ComponentType<Props>, props: Props): string {
  let number = componentNumbers.get(component)
  if (number === undefined) componentNumbers.set(component, (number = componentCount++))
  const key = number + JSON.stringify(props)
  let html = rendered.get(key)
  if (html === undefined) rendered.set(key, (html = flatten(renderToStaticMarkup(createElement(component, props)))))
  return html
}

/** The same text in one piece: React's is joined of many small ones, which take several times the memory of their letters. */
const flatten = (text: string): string => Buffer.from(text).toString()
