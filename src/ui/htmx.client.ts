// htmx 4 for the pages that import it in their script. Unlike in htmx 2, inheritance is explicit (`hx-target:inherited`), every
// answer but 204 and 304 is swapped, errors too, and events are named `htmx:after:swap`.
import htmx from 'htmx.org'

// The indicator style would be inline. Back reloads the page, so that islands and scripts start again.
htmx.config.includeIndicatorCSS = false
htmx.config.history = 'reload'
htmx.config.defaultFocusScroll = false

// A replaced part of the page (refresh.client.ts).
addEventListener('perrario:refreshed', (event) => htmx.process((event as CustomEvent<Element>).detail))

export { htmx }
