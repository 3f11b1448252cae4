/** Where a text leads, in the words of docs/product.md §23.1. */
export interface Geocode {
  center: [lon: number, lat: number]
  place_name: string
}
