export { getMissingNearby as GET } from '#features/nearby/nearby.http.ts'
