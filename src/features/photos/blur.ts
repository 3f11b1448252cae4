/**
 * Side, in pixels, of the blurred placeholder that a page shows until the photo has loaded: the colours of its middle, which
 * browsers interpolate. 15 bits a colour, rows from the bottom up as in BMP, in base64: 43 characters. BMP is the smallest
 * format here: at this size WebP loses the colours, and the first 54 bytes of a BMP are the same for all.
 */
export const BLUR_SIDE = 4

/** The 54 bytes that precede the pixels: `BM`, 86 bytes in all, 4 x 4 pixels of 16 bits. */
const BMP_HEADER = 'Qk1WAAAAAAAAADYAAAAoAAAABAAAAAQAAAABABAAAAAAACAAAAAAAAAAAAAAAAAAAAAAAAAA'

const BLUR_PREFIX = `data:image/bmp;base64,${BMP_HEADER}`

/** The `data:` URL of a photo's blur. */
export const blurSrc = (blur: string): string => `${BLUR_PREFIX}${blur}=`

/** The blur of a `data:` URL that `blurSrc` returned. */
export const blurOfSrc = (src: string): string => src.slice(BLUR_PREFIX.length, -1)
