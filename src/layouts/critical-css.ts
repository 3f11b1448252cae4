/**
 * The first style of every page, inline; the content policy has its hash. It sets the order of the layers and the cross-fade between
 * pages, which Chromium skips unless it reads the rule before any sheet is loaded, and contains Astro's style of islands, which
 * Astro would write into the body (integrations/render).
 */
export const CRITICAL_CSS =
  '@layer base,shell,parts;@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}' +
  'astro-island,astro-slot,astro-static-slot{display:contents}'
