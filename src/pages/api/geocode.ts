export { geocodePlace as GET } from '#features/places/places.http.ts'
