export { listBreeds as GET } from '#features/breeds/breeds.http.ts'
