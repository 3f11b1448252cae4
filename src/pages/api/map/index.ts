export { listMapFeatures as GET } from '#features/map/map.http.ts'
