/** What the strip needs of Swiper, in a file of its own, fetched once the strip stands. */
export { default as Swiper } from 'swiper'
export { Mousewheel, Virtual } from 'swiper/modules'
