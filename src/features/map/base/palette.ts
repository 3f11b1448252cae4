/** The map's colours, which match the album's ground and inks. */
export interface Palette {
  sea: string
  wave: string
  shore: string
  land: string
  others: string
  /** Borders between other countries, and their coasts. */
  edge: string
  coast: string
  /** Autonomous communities, provinces, municipalities. */
  region: string
  province: string
  town: string
  grid: string
  ink: string
  inkSoft: string
  inkFaint: string
  halo: string
}

export const LIGHT: Palette = {
  sea: 'oklch(88.5% 0.045 228)',
  wave: 'oklch(80% 0.06 228)',
  shore: 'oklch(92% 0.035 222)',
  land: 'oklch(97.5% 0.02 88)',
  others: 'oklch(91.5% 0.018 90)',
  edge: 'oklch(81% 0.025 85)',
  coast: 'oklch(64% 0.06 70)',
  region: 'oklch(64% 0.06 70 / 0.9)',
  province: 'oklch(64% 0.06 70 / 0.6)',
  town: 'oklch(64% 0.06 70 / 0.36)',
  grid: 'oklch(60% 0.03 70 / 0.2)',
  ink: 'oklch(33% 0.03 55)',
  inkSoft: 'oklch(46% 0.035 60)',
  inkFaint: 'oklch(55% 0.04 65)',
  halo: 'oklch(97.5% 0.02 88 / 0.85)',
}

export const DARK: Palette = {
  sea: 'oklch(27% 0.045 240)',
  wave: 'oklch(35% 0.055 238)',
  shore: 'oklch(31% 0.05 238)',
  land: 'oklch(34% 0.025 72)',
  others: 'oklch(27.5% 0.02 70)',
  edge: 'oklch(36% 0.025 72)',
  coast: 'oklch(56% 0.045 75)',
  region: 'oklch(60% 0.045 75 / 0.85)',
  province: 'oklch(60% 0.045 75 / 0.55)',
  town: 'oklch(62% 0.04 75 / 0.32)',
  grid: 'oklch(90% 0.03 70 / 0.09)',
  ink: 'oklch(90% 0.015 80)',
  inkSoft: 'oklch(78% 0.02 80)',
  inkFaint: 'oklch(70% 0.025 78)',
  halo: 'oklch(30% 0.025 72 / 0.8)',
}
