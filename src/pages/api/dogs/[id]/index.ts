export { edit as PATCH, remove as DELETE, show as GET } from '#features/dogs/dogs.http.ts'
