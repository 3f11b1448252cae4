export { suggestPlaceNames as GET } from '#features/places/places.http.ts'
