/**
 * The small pictures of a breed page's tiles (look/README.md, Drawing): each draws its fact and carries it as its label; the
 * figure in words stands below. SVG text, sized by the tile.
 */
import { escapeHtml } from '#lib/text/html.ts'
import { n, stroke } from '#features/breeds/portrait/svg-path.ts'
import type { PortraitFacts } from '../portrait/types.ts'
import { sideDog } from './side-dog.ts'

/** A drawing with its label for those who do not see it. */
export const svgPicture = (viewBox: string, label: string, body: string, extra = ''): string =>
  `<svg viewBox="${viewBox}" role="img" aria-label="${escapeHtml(label)}"${extra}>${body}</svg>`

const decimal = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 1 })
const number = (value: number) => decimal.format(value)

/** «22–40», or one figure where both are the same. */
export const formatRange = (min: number, max: number): string =>
  min === max ? number(min) : `${number(min)}–${number(max)}`
const rangeInWords = (min: number, max: number, unit: string) =>
  min === max ? `${number(min)} ${unit}` : `de ${number(min)} a ${number(max)} ${unit}`

const UNITS_PER_CM = 1.3
const FLOOR_Y = 246

/** Every colour becomes one that stands out on the light ground and on the dark one. */
const SHADOW = '<filter id="sh"><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .43 0 0 0 0 .37 0 0 0 1 0"/></filter>'

/**
 * The dog beside a person of 170 cm, with a ruler between its least and greatest height.
 * @param isShadow leaves the dog's colours out
 */
export function heightPicture(facts: PortraitFacts, isShadow = false): string {
  const { altura_cm_min: min, altura_cm_max: max } = facts
  const dog = sideDog(facts)
  const scale = (((min + max) / 2) * UNITS_PER_CM) / 100
  const x = 118 - dog.left * scale
  const right = x + dog.right * scale
  const ruler = right + 16
  const width = Math.max(250, ruler + 24)
  const [low, high] = [FLOOR_Y - min * UNITS_PER_CM, FLOOR_Y - max * UNITS_PER_CM]
  const neck = [x + dog.neck[0] * scale, FLOOR_Y + dog.neck[1] * scale] as const
  const marks = Array.from({ length: Math.floor(max / 20) }, (_, i) => FLOOR_Y - (i + 1) * 20 * UNITS_PER_CM)
  const body =
    `<path d="M-400 ${FLOOR_Y}h1200v60h-1200Z" fill="var(--line)" opacity=".75"/>` +
    `<g transform="translate(-30 24.7) scale(1.53)" class="sil"><g transform="translate(0 -24)"><circle cx="62" cy="36" r="11.5"/><path d="M48 53q14-6 28 0 7 3 8 12l5 30q1 6-4 7t-7-5l-3-16-1 24 1 58q0 7-6.5 7t-7-7l-2-46-2 46q-.5 7-7 7t-6.5-7l1-58-1-24-3 16q-1 6-6.5 5t-4.5-7l5-30q1-9 8-12Z"/></g></g>` +
    stroke(
      `M103 140Q${n((103 + neck[0]) / 2)} ${n(Math.max(neck[1], 140) + 18)} ${n(neck[0])} ${n(neck[1])}`,
      'var(--collar)',
      2.4,
    ) +
    `<rect x="112" y="${n(high)}" width="${n(ruler - 112)}" height="${n(Math.max(1, low - high))}" fill="var(--park)" opacity=".22"/>` +
    `<path d="M112 ${n(high)}H${n(ruler)}M112 ${n(low)}H${n(ruler)}" stroke="var(--park)" stroke-width="1.5" stroke-dasharray="3 4"/>` +
    (isShadow ? SHADOW : '') +
    `<g transform="translate(${n(x)} ${FLOOR_Y}) scale(${scale.toFixed(3)})"${isShadow ? ' filter="url(#sh)"' : ''}>${dog.svg}</g>` +
    `<path d="M${n(ruler)} ${FLOOR_Y}V${n(high)}${marks.map((y) => `M${n(ruler - 5)} ${n(y)}h10`).join('')}M${n(ruler - 7)} ${n(high)}h14M${n(ruler - 7)} ${n(low)}h14" stroke="var(--park)" stroke-width="1.8"/>`
  const label = `Un perro ${rangeInWords(min, max, 'cm')} a la cruz junto a una persona de 170 cm`
  return svgPicture(`0 0 ${n(width)} 262`, label, body, ' preserveAspectRatio="xMidYMax meet"')
}

const DIAL_MAX_KG = [5, 10, 20, 40, 60, 80, 100, 120]

/** A point of the dial: 0 and 1 are the ends of a 290° arc open at the bottom. */
function dialPoint(share: number, radius: number): readonly [number, number] {
  const angle = ((-235 + share * 290) * Math.PI) / 180
  return [110 + Math.cos(angle) * radius, 104 + Math.sin(angle) * radius]
}
function arc(from: number, to: number, radius: number): string {
  const [[x, y], [u, v]] = [dialPoint(from, radius), dialPoint(to, radius)]
  return `M${n(x)} ${n(y)}A${radius} ${radius} 0 ${(to - from) * 290 > 180 ? 1 : 0} 1 ${n(u)} ${n(v)}`
}

/** Kitchen scales with the dog on top; the green part of the dial is the breed's range. */
export function weightPicture(facts: PortraitFacts): string {
  const { peso_kg_min: min, peso_kg_max: max } = facts
  const full = DIAL_MAX_KG.find((dial) => dial >= max * 1.15) ?? 120
  const needle = dialPoint((min + max) / 2 / full, 29)
  const dog = sideDog(facts, false)
  const size = 0.2 + 0.16 * Math.min(1, max / 60)
  const body =
    `<rect x="46" y="30" width="128" height="10" rx="5" fill="#8a5a3c"/><rect x="100" y="38" width="20" height="12" fill="#8a5a3c"/>` +
    `<path d="M66 50h88q10 0 12 10l12 86q1 8-7 8H49q-8 0-7-8l12-86q2-10 12-10Z" fill="var(--collar)"/><circle cx="110" cy="104" r="43" fill="#fffdf8"/>` +
    stroke(arc(0, 1, 33), '#e6dccb', 9) +
    `<path d="${arc(min / full, max / full, 33)}" stroke="#2c8a5d" stroke-width="9" fill="none"/>` +
    stroke(`M110 104L${n(needle[0])} ${n(needle[1])}`, '#2b211c', 3.4) +
    `<circle cx="110" cy="104" r="5" fill="#2b211c"/>` +
    `<g font-family="var(--head)" font-weight="700" font-size="9.5" fill="#5b4d42" text-anchor="middle"><text x="89" y="140">0</text><text x="131" y="140">${full}</text></g>` +
    `<g transform="translate(${n(110 - ((dog.left + dog.right) / 2) * size)} 30) scale(${size.toFixed(3)})">${dog.svg}</g>`
  const top = Math.min(0, Math.floor(30 + dog.top * size - 4))
  return svgPicture(`0 ${top} 220 ${160 - top}`, `Balanza: ${rangeInWords(min, max, 'kilos')}`, body)
}

const MIN_PAWS = 16

/** A track of paws, one a year: firm up to the least span, faint up to the greatest, then only outlines. */
export function lifePicture(min: number, max: number): string {
  const total = Math.max(MIN_PAWS, max)
  const paws = Array.from({ length: total }, (_, i) => {
    const t = i / (total - 1)
    const x = 14 + t * 192
    const y = 56 + Math.sin(t * Math.PI * 1.7 + 0.3) * -14 + t * 16 + (i % 2 ? 7 : -7)
    const turn = 78 + Math.sin(t * Math.PI * 1.7 + 1.4) * -16
    const look = i < min ? '' : i < max ? ' opacity=".45"' : ' class="todo"'
    return `<use href="#pw" transform="translate(${n(x)} ${n(y)}) rotate(${Math.round(turn)}) scale(.6)"${look}/>`
  })
  const paw = `<defs><g id="pw"><ellipse cy="4" rx="7.5" ry="6.5"/><circle cx="-8" cy="-4" r="3"/><circle cx="-3" cy="-8.5" r="3.2"/><circle cx="3.4" cy="-8.5" r="3.2"/><circle cx="8.2" cy="-4" r="3"/></g></defs>`
  return svgPicture(
    '0 0 220 112',
    `Huellas: ${rangeInWords(min, max, 'años')}`,
    `${paw}<g class="paws">${paws.join('')}</g>`,
  )
}

const ENERGY_BALLS: Record<string, number> = { baja: 2, media: 3, alta: 4, 'muy alta': 5 }

/** Tennis balls bouncing higher and higher, as many as the breed has energy, of five. */
export function energyPicture(level: string): string {
  const balls = ENERGY_BALLS[level] ?? 3
  const places = [
    [30, 84],
    [70, 76],
    [110, 64],
    [150, 52],
    [190, 36],
  ] as const
  const ball = `<circle r="13"/><path d="M-9.5-9A13 13 0 0 1-9.5 9M9.5-9A13 13 0 0 0 9.5 9"/>`
  const drawn = places.map(
    ([x, y], i) => `<g transform="translate(${x} ${y})" class="${i < balls ? 'ball' : 'ball todo'}">${ball}</g>`,
  )
  const hops = ['M30 84Q48 20 70 78', 'Q90 26 110 66', 'Q130 20 150 54', 'Q172 8 190 36']
  return svgPicture(
    '0 0 220 112',
    `Energía ${balls} de 5`,
    `<path d="${hops.slice(0, balls - 1).join('')}" stroke="var(--line-strong)" stroke-width="1.6" stroke-dasharray="2 5" fill="none" opacity=".8"/>${drawn.join('')}`,
  )
}
