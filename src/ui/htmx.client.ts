// htmx 4 for the pages that use it: `import '#ui/htmx.client.ts'` in their script. Mind its version: inheritance is
// explicit (`hx-target:inherited`), every answer but 204 and 304 is swapped, errors too, and events are `htmx:after:swap`.
import htmx from 'htmx.org'

// Its indicator style would be an inline one; Back loads the page afresh, so that islands and scripts start as they should.
htmx.config.includeIndicatorCSS = false
htmx.config.history = 'reload'
// What a script of ours did not write is not evaluated: a swapped piece brings no code.
htmx.config.defaultFocusScroll = false

// A part of the page that was made anew (refresh.client.ts).
addEventListener('perrario:refreshed', (event) => htmx.process((event as CustomEvent<Element>).detail))

export { htmx }
