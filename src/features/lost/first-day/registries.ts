/** When the addresses and the law on the page were last looked up. */
export const FIRST_DAY_CHECKED = '27 de noviembre de 2026'

export const REIAC_URL = 'https://www.reiac.es'
export const WELFARE_LAW_URL = 'https://www.boe.es/buscar/act.php?id=BOE-A-2023-7936'

/** Registries of chips by community: those whose site was found. REIAC leads on to the others. */
export const CHIP_REGISTRIES = [
  { place: 'Andalucía', name: 'RAIA', url: 'https://cacv.es/servicios-al-colegiado/raia' },
  { place: 'Aragón', name: 'RIACA', url: 'https://www.riaca.org' },
  { place: 'Castilla y León', name: 'SIACYL', url: 'https://www.siacyl.org' },
  { place: 'Cataluña', name: 'AIAC', url: 'https://www.veterinaris.cat/aiac/' },
  { place: 'Comunidad de Madrid', name: 'RIAC', url: 'http://www.riacmadrid.org' },
  { place: 'Comunitat Valenciana', name: 'RIVIA', url: 'https://www.rivia.org' },
  { place: 'La Rioja', name: 'RIAC', url: 'https://www.larioja.org/agricultura/en/ganaderia/animales-compania' },
] as const
