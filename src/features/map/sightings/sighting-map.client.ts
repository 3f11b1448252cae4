import { inBackground } from '#lib/background.client.ts'
import type { GeoPoint } from '#lib/geo.ts'

// The owner's map of sightings: loaded once it is near the screen.

export interface DrawnSighting extends GeoPoint {
  id: string
  number: number
  label: string
  isApproximate: boolean
}

export interface SightingMapData {
  marks: readonly DrawnSighting[]
  home: GeoPoint & { isApproximate: boolean }
  tiles: { url: string; attribution: string } | null
  /** Says that a mark's sighting is on another page of the list. */
  say: (text: string) => void
  /** Whether marks stand beside their places. */
  showSpreadHint: (isSpread: boolean) => void
}

function openWhenSeen(box: HTMLElement): void {
  const said = box.parentElement!.querySelector('[data-sighting-said]')!
  const spread = box.parentElement!.querySelector<HTMLElement>('[data-sighting-spread]')!
  const { marks = '[]', home = '', tiles } = box.dataset
  const data: SightingMapData = {
    marks: JSON.parse(marks) as DrawnSighting[],
    home: JSON.parse(home) as SightingMapData['home'],
    tiles: tiles ? (JSON.parse(tiles) as SightingMapData['tiles']) : null,
    say: (text) => (said.textContent = text),
    showSpreadHint: (isSpread) => (spread.hidden = !isSpread),
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      inBackground(import('./draw-sightings.client.ts').then(({ drawSightings }) => drawSightings(box, data)))
    },
    { rootMargin: '200px' },
  )
  observer.observe(box)
}

for (const box of document.querySelectorAll<HTMLElement>('[data-sighting-map]')) openWhenSeen(box)
