export { list as GET } from '#features/breeds/breeds.http.ts'
