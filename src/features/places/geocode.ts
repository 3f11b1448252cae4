/** Where a text leads, in the words of spec.md §7. */
export interface Geocode {
  center: [lon: number, lat: number]
  place_name: string
}
