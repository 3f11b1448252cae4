/** The parts of Swiper that the strip needs, as a chunk of its own that loads after the strip is shown. */
export { default as Swiper } from 'swiper'
export { Mousewheel, Virtual } from 'swiper/modules'
