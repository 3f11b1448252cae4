export { getFoundPhoto as GET } from '#features/found/found.http.ts'
