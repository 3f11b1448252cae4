export { features as GET } from '#features/map/map.http.ts'
