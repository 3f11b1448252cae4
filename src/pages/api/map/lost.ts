export { listLost as GET } from '#features/map/map.http.ts'
