export { search as GET } from '#features/places/places.http.ts'
