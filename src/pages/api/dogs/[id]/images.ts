export { replaceImages as PUT } from '#features/dogs/dogs.http.ts'
