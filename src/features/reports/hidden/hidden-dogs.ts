/** A hidden dog as its people see it. */
export interface HiddenDogView {
  id: string
  name: string
  breed: string
  path: string
  texts: string[]
  photos: { url: string; alt: string }[]
  /** Not published yet: the admin reviews it first. */
  isPendingReview: boolean
  /** The admin's reason for hiding it; null without one. */
  reason: string | null
  /** The reader looks for it: their case goes on. */
  isSought?: boolean
}
