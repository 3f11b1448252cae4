/**
 * The first element of `root` that matches, for what the page's own markup always has.
 * @throws Error without one
 */
export function requireElement<E extends Element = HTMLElement>(root: ParentNode, selector: string): E {
  const element = root.querySelector<E>(selector)
  if (!element) throw new Error(`No element matches ${selector}`)
  return element
}
