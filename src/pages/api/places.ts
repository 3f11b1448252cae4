export { suggest as GET } from '#features/places/places.http.ts'
