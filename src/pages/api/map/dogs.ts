export { listMapDogs as GET } from '#features/map/map.http.ts'
