export { dogs as GET } from '#features/map/map.http.ts'
