/** Origin as postage stamps, one per country. */
import { escapeHtml } from '#lib/text/html.ts'
import { countries, ofCountry } from '../countries.ts'
import { flag, isLandscape } from './flags.ts'
import { svgPicture } from './tiles.ts'

const HOLES_X = Array.from({ length: 14 }, (_, i) => i * 8)
const HOLES_Y = Array.from({ length: 9 }, (_, i) => 2 + i * 10)
const hole = (x: number, y: number) => `M${x} ${y}h.1`
const HOLES = [
  ...HOLES_X.flatMap((x) => [hole(x, 0), hole(x, 84)]),
  ...HOLES_Y.flatMap((y) => [hole(0, y), hole(104, y)]),
]

/** Names as they fit: the long ones are squeezed rather than cut. */
function countryLabel(text: string): string {
  const squeezed = text.length > 13 ? ' textLength="84" lengthAdjust="spacingAndGlyphs"' : ''
  const size = text.length > 13 ? 8 : 9
  return `<text x="52" y="75.5" text-anchor="middle" font-family="var(--head)" font-size="${size}" font-weight="750"${text.length > 13 ? '' : ' letter-spacing=".1em"'}${squeezed} fill="#4a3f38">${escapeHtml(text.toUpperCase())}</text>`
}

/** One stamp. The perforation is bitten out of the paper by a mask, drawn once for the page. */
function stamp(country: string, id: string): string {
  const text = country || 'Todo el mundo'
  const body = `<mask id="${id}"><path fill="#fff" d="M0 0h104v84H0Z"/><path d="${HOLES.join('')}" stroke="#000" stroke-width="5" stroke-linecap="round"/></mask><g mask="url(#${id})"><path fill="#fffdf7" d="M0 0h104v84H0Z"/><svg x="11" y="11" width="82" height="52" viewBox="0 0 82 52">${flag(country)}</svg>${countryLabel(text)}</g>`
  return svgPicture('-4 -4 112 92', stampLabel(country), body, ' class="stamp"')
}

function stampLabel(country: string): string {
  if (!country) return 'Sello con un globo terráqueo'
  return `Sello con ${isLandscape(country) ? 'un paisaje' : 'la bandera'} ${ofCountry(country)}`
}

/** The stamps of a breed's origin: two where a slash joins two countries. */
export function originPicture(origin: string): string {
  const names = countries(origin)
  return (names.length ? names : ['']).map((country, i) => stamp(country, `sp${i}`)).join('')
}
