/** Writes public/mapa, the base map that works without a network (data/README.md, «The base map»): node scripts/basemap.ts */
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { generateBasemap } from './lib/basemap.ts'

mkdirSync('public/mapa/municipios', { recursive: true })
for (const [path, text] of generateBasemap()) {
  writeFileSync(`public/mapa/${path}`, text)
  console.log(`${path}: ${text.length >> 10} kB, ${gzipSync(text).length} B comprimido`)
}
