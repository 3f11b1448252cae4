/** A dog that others do not see, as its people do. */
export interface QuarantinedDogView {
  id: string
  name: string
  breed: string
  path: string
  description: string | null
  photos: { url: string; alt: string }[]
  /** It was never shown yet: the admin looks at it first. */
  waits: boolean
  /** Why it was hidden, in the admin's words. */
  reason: string | null
}
