/** The style sheet of bands of lost dogs: only pages that show one load it. */
export const LOST_STYLES = '/marcos/perdido.css'
