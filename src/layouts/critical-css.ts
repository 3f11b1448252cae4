/**
 * The first style of every page, inline, so the content policy knows it by its hash. The order of the layers; that pages
 * fade into each other, which Chromium wants to read before any sheet has come, else it calls the transition off; and
 * Astro's style of islands, which it would write into the body (integrations/render).
 */
export const CRITICAL_CSS =
  '@layer base,shell,parts;@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}}' +
  'astro-island,astro-slot,astro-static-slot{display:contents}'
