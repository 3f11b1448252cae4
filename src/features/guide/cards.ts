/** A breed in a list of the guide. */
export interface GuideCard {
  slug: string
  name: string
  image: string
  /** A line below the name. */
  note: string
  /** «Hocico chato», or ''. */
  mark: string
}
