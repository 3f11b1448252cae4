export { reverse as GET } from '#features/breeds/files.http.ts'
