export { mappings as GET } from '#features/breeds/data-files.http.ts'
