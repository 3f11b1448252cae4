import drawn from '#data/province-shapes.json' with { type: 'json' }
import { MAP_LEVELS, type ProvinceMapData } from './province-map.ts'

/** Colours a drawn map by counts of provinces, in steps of the largest one. */
export function drawProvinces(counts: readonly { id: string; count: number }[]): ProvinceMapData {
  const byId = new Map(counts.map(({ id, count }) => [id, count]))
  const most = Math.max(1, ...byId.values())
  const levelOf = (id: string) => Math.ceil(((byId.get(id) ?? 0) / most) * MAP_LEVELS)
  return {
    width: drawn.width,
    height: drawn.height,
    shapes: drawn.shapes.map(({ id, d }) => ({ d, level: levelOf(id) })),
  }
}
