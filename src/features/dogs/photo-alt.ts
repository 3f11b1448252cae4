import { type Dog, displayName } from './dogs.ts'

type AltSource = Pick<Dog, 'name' | 'breed' | 'zone'>

/** Alt text of a photo without a description: «Toby, Beagle, en Madrid». */
export const defaultAlt = ({ name, breed, zone }: AltSource): string =>
  [displayName(name), breed, zone && `en ${zone}`].filter(Boolean).join(', ')

/** Alt text of a photo: its own description, else the default. */
export const photoAlt = (dog: AltSource, description: string | null | undefined): string =>
  description || defaultAlt(dog)

/** Alt text of the dog's cover. */
export const coverAlt = (dog: AltSource & Pick<Dog, 'photo_url' | 'images'>): string =>
  photoAlt(dog, dog.images.find(({ url }) => url === dog.photo_url)?.alt)

/** Alt text with the photo's position among `count`; `index` from 0: «Duerme en el sofá. Foto 2 de 3». */
export const numberedAlt = (alt: string, index: number, count: number): string =>
  count < 2 ? alt : `${alt}${/[.!?…]$/.test(alt) ? '' : '.'} Foto ${index + 1} de ${count}`
