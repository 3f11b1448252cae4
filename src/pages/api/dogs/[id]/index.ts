export { edit as PATCH, show as GET } from '#features/dogs/dogs.http.ts'
export { remove as DELETE, removeByForm as POST } from '#features/dogs/write/delete.http.ts'
