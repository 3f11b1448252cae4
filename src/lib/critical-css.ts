const ISLAND_CSS = 'astro-island,astro-slot,astro-static-slot{display:contents}'

/**
 * The first style of every page, inline; the content policy has its hash. It sets the order of the layers and the cross-fade between
 * pages, which Chromium skips unless it reads the rule before any sheet is loaded, and contains Astro's style of islands.
 */
export const CRITICAL_CSS = `@layer base,shell;@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}${ISLAND_CSS}`

/** Astro's style of islands, which it writes before the first of them: HTML allows no style in the body. */
export const ISLAND_STYLE = `<style>${ISLAND_CSS}</style>`
