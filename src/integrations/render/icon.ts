import { createComponent, render, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime'

/** What an icon file of @lucide/astro holds. */
interface IconData {
  name: string
  aliases?: string[]
  node: [tag: string, attributes: Record<string, unknown>][]
}

/** A page draws an icon in one or two ways; what comes with ever new attributes is not kept beyond this. */
const KEPT = 20

function draw(icon: IconData, { class: className, color, size = 24, ...rest }: Record<string, unknown>): string {
  const isNamed = Object.keys(rest).some((key) => key.startsWith('aria-') || key === 'role' || key === 'title')
  const names = [icon.name, ...(icon.aliases ?? [])].map((name) => `lucide-${name}`)
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: size,
    height: size,
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: color ?? 'currentColor',
    'stroke-width': 2,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    class: ['lucide', ...names, className].filter(Boolean).join(' '),
    ...(!isNamed && { 'aria-hidden': 'true' }),
    ...rest,
  }
  const parts = icon.node.map(([tag, part]) => `<${tag}${spreadAttributes(part)}></${tag}>`)
  return `<svg${spreadAttributes(attributes)}> ${parts.join('')}  </svg>`
}

/**
 * Stands for `createLucideIcon` of @lucide/astro (see icons.ts) and writes what that writes: the same element with the
 * same attributes in the same order. It is drawn once for each set of attributes and then is a string.
 */
export default function createLucideIcon(icon: IconData) {
  const drawn = new Map<string, unknown>()
  return createComponent(
    (_result: unknown, props: Record<string, unknown>) => {
      let key = ''
      for (const name in props) key += `${name}=${String(props[name])}\n`
      let html = drawn.get(key)
      if (html === undefined) {
        html = unescapeHTML(draw(icon, props))
        if (drawn.size < KEPT) drawn.set(key, html)
      }
      return render`${html}`
    },
    undefined,
    'none',
  )
}
