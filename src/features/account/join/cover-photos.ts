import { coverAlt } from '#features/dogs/photo-alt.ts'
import { type Dog, displayName } from '#features/dogs/dogs.ts'
import { type Box, photoSrc, photoSrcSet, safePhotoUrl } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'

/** A dog's cover as the sign-in screens show it. */
export interface CoverPhoto {
  name: string
  alt: string
  src: string
  srcset: string | undefined
}

/** The covers of `dogs` for a box, without invalid photo addresses (docs/product.md §22.4). */
export function toCoverPhotos(dogs: Dog[], box: Box): CoverPhoto[] {
  return dogs
    .filter((dog) => safePhotoUrl(dog.photo_url) !== paths.placeholder)
    .map((dog) => ({
      name: displayName(dog.name),
      alt: coverAlt(dog),
      src: photoSrc(dog.photo_url, box),
      srcset: photoSrcSet(dog.photo_url, box),
    }))
}
