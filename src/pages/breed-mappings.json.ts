export { mappings as GET } from '#features/breeds/files.http.ts'
