/**
 * What stands in a photo's place until it has come: four by four colours of its middle, which browsers blend into each other.
 * 15 bits a colour, the rows from below as BMP has them, in base64: 43 characters. No other format says so little with
 * so few bytes: at this size WebP loses the colours, and the first 54 bytes of a BMP are the same for all.
 */
export const BLUR_SIDE = 4

/** `BM`, 86 bytes in all of which 54 are this; 4 x 4, 16 bits a pixel. */
const HEADER = 'Qk1WAAAAAAAAADYAAAAoAAAABAAAAAQAAAABABAAAAAAACAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** The address of a photo's blur; nothing is asked of any server for it. */
export const blurSrc = (blur: string): string => `data:image/bmp;base64,${HEADER}${blur}=`
