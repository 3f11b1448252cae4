import { type Dog, displayName } from './dogs.ts'

type AltSource = Pick<Dog, 'name' | 'breed' | 'zone'>

/** What a photo of a dog is called where nobody has described it: «Toby, Beagle, en Madrid». */
export const defaultAlt = ({ name, breed, zone }: AltSource): string =>
  [displayName(name), breed, zone && `en ${zone}`].filter(Boolean).join(', ')

/** What stands for a photo before those who cannot see it: its own description, else what is known of the dog. */
export const photoAlt = (dog: AltSource, own: string | null | undefined): string => own || defaultAlt(dog)

/** The same of the photo that a dog is known by. */
export const coverAlt = (dog: AltSource & Pick<Dog, 'photo_url' | 'images'>): string =>
  photoAlt(dog, dog.images.find(({ url }) => url === dog.photo_url)?.alt)

/** One of several, counted from 0: «Duerme en el sofá. Foto 2 de 3». */
export const numberedAlt = (alt: string, at: number, of: number): string =>
  of < 2 ? alt : `${alt}${/[.!?…]$/.test(alt) ? '' : '.'} Foto ${at + 1} de ${of}`
