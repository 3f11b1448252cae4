export { images as GET } from '#features/breeds/files.http.ts'
