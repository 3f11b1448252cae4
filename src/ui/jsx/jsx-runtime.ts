import type { ElementType, Key, ReactNode } from 'react'
import { Fragment, jsx as createSingle, jsxs as createParent } from 'react/jsx-runtime'

/**
 * React's JSX runtime for our islands (astro.config.mjs): every text stands alone in its element, and the markup of a page that a browser has
 * translated is taken over as it is. A translation replaces each text node by `<font>` elements. React holds on to the nodes of texts that
 * have siblings, and removes, moves and changes them where they no longer are (https://github.com/facebook/react/issues/11538); the only text
 * of an element it writes as the element's content.
 */
type Create = (type: ElementType, props: Props, key?: Key) => ReactNode
type Props = Record<string, unknown> & { children?: ReactNode }

const isText = (node: unknown): node is string | number => typeof node === 'string' || typeof node === 'number'
const isTextOrNothing = (node: unknown) => node == null || typeof node === 'boolean' || isText(node)
const join = (nodes: readonly unknown[]) => nodes.filter(isText).join('')

/** Puts each run of texts into an element in the place of the first. A blank one, which nobody translates, would be an item of a flexbox. */
function wrapTexts(nodes: readonly ReactNode[]): ReactNode[] {
  const wrapped = nodes.map((node) => (Array.isArray(node) ? wrapTexts(node) : node))
  for (let start = 0; start < nodes.length; start++) {
    if (!isText(wrapped[start])) continue
    const end = wrapped.findIndex((node, index) => index > start && !isTextOrNothing(node))
    const run = wrapped.slice(start, end < 0 ? undefined : end)
    if (join(run).trim() === '') continue
    wrapped.fill(null, start, start + run.length)
    wrapped[start] = createHost(createSingle as Create, 'span', { children: join(run) }, `text ${start}`)
  }
  return wrapped
}

function createHost(create: Create, type: ElementType, props: Props, key?: Key): ReactNode {
  const { children } = props
  const isList = Array.isArray(children)
  const text = isList && children.every(isTextOrNothing) ? join(children) : children
  // In development React still says where server and browser differ.
  if (isText(text))
    return createSingle(type, { ...props, children: text, suppressHydrationWarning: import.meta.env.PROD }, key)
  return create(type, isList ? { ...props, children: wrapTexts(children) } : props, key)
}

const separateTexts =
  (create: Create): Create =>
  (type, props, key) => {
    const { children } = props
    if (typeof type === 'string') return createHost(create, type, props, key)
    if (type !== Fragment || !(isText(children) || Array.isArray(children))) return create(type, props, key)
    return createParent(type, { children: wrapTexts([children].flat()) }, key)
  }

export const jsx = separateTexts(createSingle as Create)
export const jsxs = separateTexts(createParent as Create)
export { Fragment }
