import { DOG_PLACEHOLDER } from '#lib/text/names.ts'

/** «Tal día»: the notification of a dog that came to the album a year ago, in the bell alone. */
export const MEMORY_NOTICE = {
  title: 'Tal día como hoy',
  content: `Hace un año llegó al álbum ${DOG_PLACEHOLDER}.`,
  topic: 'memory',
  isPushed: false,
} as const
