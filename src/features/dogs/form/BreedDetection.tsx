interface Props {
  /** The first photo, once it can be looked at and only when it is new (spec.md §4). */
  photo: File | null
}

/**
 * The place of the breed detection, between photos and description: its three states fill it where detection is
 * available (issue 5 of the plan), and nothing shows where it is not.
 */
export function BreedDetection(_props: Props) {
  return null
}
