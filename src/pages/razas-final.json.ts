export { razas as GET } from '#features/breeds/files.http.ts'
