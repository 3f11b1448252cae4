/**
 * Astro's element of islands, and the directives that wake them. Astro writes both inline into every page with an island; here they are
 * part of the shell's script, which browsers cache (render.ts).
 */
import './island-directives.client.ts'
// After the directives: it upgrades the page's islands at once.
import 'astro/runtime/server/astro-island.js'
